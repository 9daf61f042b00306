// Runs before anything is painted: applies a chosen theme, so that it does not
// flash, and shows the still of what the address names, so that there is a
// picture while the page's modules come. The rest of the theme is in theme.js.
(() => {
  try {
    const chosen = localStorage.getItem('groupscope.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch { /* storage may be closed; then the system's theme holds */ }

  /** What is fetched here, by URL: element/stills.js takes it over. @type {Map<string, Promise<string>>} */
  const texts = new Map();
  const text = (path) => {
    const url = new URL(path, document.baseURI).href;
    const coming = fetch(url).then((r) => (r.ok ? r.text() : Promise.reject(new Error(`${path}: the server answered ${r.status}`))));
    texts.set(url, coming);
    return coming;
  };

  /** The layout of the place that page.css gives the board, between the panels at its sides. */
  const layout = () => {
    const width = innerWidth >= 1200 ? innerWidth - 512 : innerWidth;
    return [[1200, 'wide'], [720, 'medium'], [560, 'embed'], [430, 'embedSmall'], [0, 'phone']].find(([least]) => width >= least)[1];
  };

  const parsed = () => new Promise((done) => {
    if (document.readyState !== 'loading') done();
    else document.addEventListener('readystatechange', done, { once: true });
  });

  async function still(scenario, step, rules) {
    const folder = `stills/${encodeURIComponent(scenario)}`;
    const facts = JSON.parse(await text(`${folder}/info.json`));
    if (rules && rules !== facts.rules) return;
    const stop = facts.stops.find((s) => s.step === step) ?? facts.stops.find((s) => s.label === step) ?? facts.stops[0];
    const markup = await text(`${folder}/${encodeURIComponent(stop.label)}-${layout()}.svg`);
    await parsed();
    const board = document.getElementById('board');
    if (!board.shadowRoot) board.insertAdjacentHTML('afterbegin', markup); // else it shows it itself
  }

  /** The page opens it as soon as it can. */
  function file(scenario) {
    text(`scenarios/${encodeURIComponent(scenario)}.yaml`).catch(() => {}); // who asks for it says so
  }

  const hash = new URLSearchParams(location.hash.slice(1)), query = new URLSearchParams(location.search);
  const word = (name) => hash.get(name) ?? query.get(name);
  let shown = Promise.resolve();
  if (!word('src') && !word('file') && !word('local')) {
    const scenario = word('scenario') || document.currentScript.dataset.scenario;
    // Without a still the element says why.
    shown = still(scenario, word('step'), word('rules')).then(() => file(scenario)).catch(() => {});
  }
  window.groupscopeFirst = { texts, shown };
})();
