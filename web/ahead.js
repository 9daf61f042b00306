// Has the program come while the page's modules still do: the page is going to
// want it. The still goes first, unless its server takes its time.

import { prefetchLoader } from './host.js';
import { prefetch, wasm } from './program.js';

const patience = 300; // ms

await Promise.race([window.groupscopeFirst?.shown, new Promise((done) => setTimeout(done, patience))]);
prefetch(wasm);
prefetchLoader();
