// Runs before the first paint, so that a chosen theme does not flash. The rest is in theme.js.
try {
  const chosen = localStorage.getItem('groupscope.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch { /* storage may be closed; then the system's theme holds */ }
