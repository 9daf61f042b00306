// embed.html?scenario=…&step=…: the element alone in a page, for an iframe.
// The query's words are the element's attributes.

import './groupscope.js';

const words = ['scenario', 'src', 'step', 'board', 'theme', 'controls', 'rules', 'autoplay', 'hold'];

const query = new URLSearchParams(location.search);
const scope = document.createElement('group-scope');
for (const word of words) {
  if (query.has(word)) scope.setAttribute(word, query.get(word));
}
document.body.append(scope);
