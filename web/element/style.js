// The element's own style. The colours are those of tokens.css, which the build
// also writes as a module: nothing is shown without them, and none waits for them.

import tokens from '../tokens.js';

const rules = `
:host{display:block;box-sizing:border-box;container-type:inline-size;position:relative;background:var(--gs-paper);color:var(--gs-ink);font:14px/20px system-ui,sans-serif;border:1px solid var(--gs-hair);border-radius:8px;overflow:hidden;
  --gs-board:420px}
:host([hidden]){display:none}
:host([layout=page]){border:0;border-radius:0;overflow:clip}
:host([layout=presentation]){border:0;border-radius:0;height:100%}
:host(:fullscreen){width:100vw;height:100vh}
*{box-sizing:border-box}
h2,h3,p,ul,ol,dl,dd{margin:0;padding:0;font-size:inherit;font-weight:400}
ul,ol{list-style:none}
b{font-weight:500}
[hidden]{display:none!important}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
.soft,small,h3{color:var(--gs-ink2)}
small{font-size:inherit}
.num,.name{font-variant-numeric:tabular-nums}
code{font:14px/20px ui-monospace,"Liberation Mono",monospace}
a{color:inherit}
button,select{font:inherit;color:inherit;background:none;border:0;border-radius:6px;padding:0 12px;height:32px;white-space:nowrap;cursor:pointer}
button:focus-visible,select:focus-visible,a:focus-visible,.scrubber:focus-visible,.diagnostics:focus-visible{outline:2px solid var(--gs-ink);outline-offset:2px}
.speed{appearance:none;width:56px;padding:0;text-align:center;border:1px solid var(--gs-line)}
.btn{border:1px solid var(--gs-line)}
.btn.primary{background:var(--gs-ink);border-color:var(--gs-ink);color:var(--gs-paper)}
.icon{width:40px;height:40px;padding:0;display:inline-grid;place-items:center;flex:none;position:relative}
.icon svg{width:20px;height:20px;fill:currentColor}
.icon.play{background:var(--gs-ink);color:var(--gs-paper)}
.icon[aria-disabled=true]{color:var(--gs-line);cursor:default}
.busy .icon{color:var(--gs-ink2);background:none;cursor:default;border:1px solid var(--gs-hair)}
.busy .icon::after{content:"";position:absolute;left:-5px;bottom:4px;width:14px;border-top:1.5px solid var(--gs-line);transform:rotate(-45deg)}

.root{display:flex;flex-direction:column;height:100%;min-height:0;background:inherit}
.below{flex:none;background:inherit}
.stage{position:relative;flex:1 1 var(--gs-board);min-height:0;overflow:hidden;touch-action:pan-y pinch-zoom}
:host([layout=page]) .stage{flex:none;height:var(--gs-board)}
.still,.live{position:absolute;inset:0}
.still svg{display:block;width:100%;height:100%}
.live{visibility:hidden}
.root[data-shown=live] .live{visibility:visible}
.root[data-shown=live] .still{display:none}
.live svg{display:block;max-width:100%}
.cover{position:absolute;inset:0;width:100%;height:100%;border-radius:0;padding:0}
.cover:focus-visible{outline-offset:-3px}
.regions{position:absolute;inset:0;outline:none;pointer-events:none}
.regions .at{position:absolute;border-radius:6px;outline:2px solid var(--gs-ink);outline-offset:2px;display:none}
.regions:focus-visible .at{display:block}
.mover{position:absolute;z-index:2;display:flex;gap:4px;width:52px;height:24px}
.mover button{width:24px;height:24px;padding:0;display:inline-grid;place-items:center;background:var(--gs-raised);border:1px solid var(--gs-line)}
.mover .glyph{width:12px;height:12px}
.mover [aria-disabled=true]{color:var(--gs-line);border-color:var(--gs-hair);cursor:default}
.root:not([data-shown=live]) .mover{display:none}
.blank{position:absolute;inset:0;background:#000;z-index:5}

.caption h2{display:flex;align-items:center;gap:10px;font-size:17px;line-height:44px;height:68px;padding:0 12px;border-top:1px solid var(--gs-hair);overflow:hidden}
.caption .k{color:var(--gs-ink2);flex:none}
.caption .say{flex:0 1 auto;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:500}
.caption .say.long{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;white-space:normal;font-size:15px;line-height:20px}
.caption .aside{margin-left:auto;display:flex;align-items:center;gap:10px;flex:none;max-width:65%;min-width:0;font-size:14px;line-height:20px}
.caption .aside .btn{height:30px}
.note{display:flex;align-items:center;gap:8px;color:var(--gs-ink2)}
.glyph{width:18px;height:18px;fill:currentColor;flex:none}
.alertbox{display:flex;align-items:center;gap:8px;background:var(--gs-alert-wash);border:1.5px solid var(--gs-alert);border-radius:4px;color:var(--gs-alert);padding:2px 10px;min-height:30px;font-weight:500;min-width:0}
.alertbox span{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;line-height:17px}
.caption .columns,.caption .reason{display:none}
:host([layout=page]) .caption{height:130px;border-top:1px solid var(--gs-hair);overflow:auto}
:host([layout=page]) .caption h2{border:0;font-size:18px;line-height:28px;height:auto;min-height:38px;padding:10px 16px 0;align-items:baseline}
:host([layout=page]) .caption .say.long{-webkit-line-clamp:5}
:host([layout=page]) .caption .reason{display:block;padding:0 16px 8px;font-size:16px;line-height:22px;color:var(--gs-ink2)}
:host([layout=page]) .caption:has(.long) h2{padding-top:4px;line-height:20px}
:host([layout=page]) .caption:has(.long) .reason{padding-bottom:0;font-size:15px;line-height:20px}
.column{min-width:0;overflow-wrap:anywhere}
.column h3{line-height:20px;padding-right:20px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.column .body{margin-right:20px;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:var(--gs-lines,3);overflow:hidden}

.transport{border-top:1px solid var(--gs-hair)}
.transport nav{display:flex;align-items:center;gap:2px;height:52px;padding:0 8px}
.transport .far,.transport .name,.transport .speed,.transport .ladder{display:none}
.scrubber{touch-action:none;cursor:pointer;user-select:none}
.scrubber svg{display:block;font:inherit}
.scrubber path{fill:none;stroke:var(--gs-line);stroke-width:1.5}
.line{flex:1;min-width:40px;height:40px;padding:8px 0;margin:0 10px;overflow:hidden;border-radius:6px}
.line .rest{stroke-width:2}.line .done{stroke:var(--gs-ink);stroke-width:3}.line .tick{stroke-width:1.5}
.scrubber .knob{fill:var(--gs-ink)}
.scrubber .violated{stroke:var(--gs-alert);stroke-width:2}
.ladder{height:96px;border-radius:6px;overflow:hidden}
.ladder .group{stroke:var(--gs-ink);stroke-width:2.5}
.ladder .head{stroke:var(--gs-ink);stroke-width:2}
.ladder .lag{fill:var(--gs-ink2);fill-opacity:.28;stroke:var(--gs-ink2);stroke-width:1}
.ladder .marks{stroke-width:1}
.ladder text{fill:var(--gs-ink2);text-anchor:middle;font-variant-numeric:tabular-nums}
.ladder .number{fill:var(--gs-ink);text-anchor:end;font-weight:500}
.ladder .now{fill:var(--gs-ink);font-weight:500}
.ladder .bad{fill:var(--gs-alert)}
${[0, 1, 2, 3, 4, 5, 6, 7, 8].map(e => `.band.e${e}{fill:var(--gs-e${e}-wash)}`).join('')}
.link{padding:0 4px;white-space:nowrap}
.rules{display:none;padding:0 8px 0 4px;white-space:nowrap;color:var(--gs-ink2)}

.loading{display:none;align-items:center;gap:12px;height:51px;padding:0 12px;background:var(--gs-paper)}
.loading .words{font-weight:500}
.loading .num{min-width:14ch}
.progress{flex:1;height:6px;border-radius:3px;background:var(--gs-hair);overflow:hidden}
.progress i{display:block;height:6px;background:var(--gs-ink2)}
.loading .btn{margin-left:auto;height:30px}
.root[data-state=loading] .loading,.root[data-state=cancelled] .loading{display:flex}
/* In an embed it lies over the scrubber, which keeps the focus it may have; in the page it takes the faults' place. */
.transport{position:relative}
:host(:not([layout=page])) .loading{position:absolute;top:0;left:136px;right:0}
:host(:not([layout=page])) .root.full .loading{left:236px}
:host([layout=page]) .loading{height:48px;border-bottom:1px solid var(--gs-hair)}
.root[data-state=loading] .faults,.root[data-state=cancelled] .faults{display:none}
.root[data-panel] .caption,.root[data-panel] .transport,.root[data-panel] .faults{display:none}

.under{flex:none;max-height:60%;overflow:auto}
.panel{border-top:1px solid var(--gs-hair)}
.panel.stop{border-top:3px solid var(--gs-alert)}
.panel h2{display:flex;align-items:center;gap:10px;min-height:43px;padding:0 12px;font-size:16px}
.panel h2 .glyph{color:var(--gs-alert)}
.panel h2 b{flex:1;min-width:0}
.panel h2 .soft{font-size:14px}
.panel .more{display:none}
.panel .acts{display:flex;flex-wrap:wrap;align-items:center;gap:8px;min-height:52px;padding:8px 12px;border-top:1px solid var(--gs-hair)}
.panel .first{flex:1;min-width:0}
.panel dl{display:grid;grid-template-columns:84px 1fr;gap:4px}
.panel dt{color:var(--gs-ink2)}
.diagnostics{max-height:180px;overflow:auto;padding:0 12px 8px}
.diagnostics li{padding:4px 0}
.diagnostics .src{display:block;white-space:pre;color:var(--gs-ink2);overflow-x:auto}
.caret{color:var(--gs-alert);font-weight:700}

dialog.keys{background:var(--gs-raised);color:inherit;border:1.5px solid var(--gs-ink);border-radius:12px;padding:16px 20px;max-width:90%}
dialog.keys::backdrop{background:var(--gs-paper);opacity:.82}
dialog.keys h2{font-size:18px;line-height:26px}
dialog.keys li{display:grid;grid-template-columns:132px 1fr;align-items:center;min-height:32px}
dialog.keys span{display:flex;gap:4px}
kbd{display:inline-grid;place-items:center;min-width:28px;height:26px;padding:0 7px;border:1px solid var(--gs-line);border-radius:4px;font:14px/20px system-ui,sans-serif}
dialog.keys .btn{margin-top:12px}
.looks svg{display:block;max-width:100%;height:auto}

:host([controls=none]) .transport{display:none}
.root.full .transport nav{padding:4px 12px;gap:4px}
.root.full .line,.root.full .link{display:none}
.root.full .ladder{display:block}
.root.full .speed{display:inline-block}

@container (min-width:430px){.stage{--gs-board:214px}
  .caption h2{height:38px;line-height:38px}.caption .say.long{font-size:14px;line-height:18px;-webkit-line-clamp:2}.transport nav{height:46px}.loading{height:45px}}
@container (min-width:480px){:host(:not([layout=page])) .rules{display:inline}}
@container (min-width:560px){.stage{--gs-board:262px}
  .caption h2{height:44px;line-height:44px}.caption .say.long{font-size:15px;line-height:20px}.transport nav{height:52px}.loading{height:51px}
  .root.full .far,.root.full .name{display:inline-grid}.root.full .name{flex:1;text-align:center}}
@container (min-width:720px){.stage{--gs-board:404px}
  :host([layout=page]) .caption .reason{display:none}
  :host([layout=page]) .caption h2{font-size:22px;line-height:36px;padding:4px 16px 0;gap:0}
  :host([layout=page]) .caption .say.long{font-size:17px;line-height:22px;-webkit-line-clamp:3}
  :host([layout=page]) .caption .k{min-width:62px;padding-right:12px}
  :host([layout=page]) .caption .columns{display:grid;grid-template-columns:62px minmax(0,5fr) minmax(0,6fr) minmax(0,4fr);padding:0 16px}
  .columns .column:first-child{grid-column:2}
  .panel .more{display:grid;gap:8px;padding:0 12px 8px}}
@container (min-width:1200px){.stage{--gs-board:544px}
  :host([layout=page]) .caption h2{padding-left:32px}:host([layout=page]) .caption .k{min-width:104px}
  :host([layout=page]) .caption .columns{grid-template-columns:104px minmax(0,5fr) minmax(0,6fr) minmax(0,4fr);padding:0 32px}}
/* Where height is short, the words and the keys leave it to the board. */
@media (max-height:779px){@container (min-width:720px){
  :host([layout=page]) .caption h2{line-height:32px;min-height:36px}
  :host([layout=page]) .column h3,:host([layout=page]) .column .body{line-height:18px}
  :host([layout=page]) .transport nav{height:46px}
  :host([layout=page]) .ladder{height:88px}
  :host([layout=page]) .ladder svg{margin-top:-7px}}}
/* A board higher than its room scrolls under the words and keys. */
@media (min-height:600px){@container (min-width:720px){
  :host([layout=page]) .below{position:sticky;bottom:0;z-index:3}
  :host([data-more]) .below::before{content:"";position:absolute;inset:-40px 0 auto;height:40px;background:linear-gradient(transparent,var(--gs-paper));pointer-events:none}}}
@media (min-height:720px){@container (max-width:719px){
  :host([layout=page]) .below{position:sticky;bottom:var(--gs-bottom,0);z-index:3}}}
@container (max-width:719px){
  :host([layout=page]) .caption h2:has(.alertbox){flex-wrap:wrap;gap:4px 10px}
  :host([layout=page]) .caption h2:has(.alertbox) .say.long{-webkit-line-clamp:3}
  :host([layout=page]) .caption h2:has(.alertbox) .say{flex:1}
  :host([layout=page]) .caption h2:has(.alertbox)+.reason{display:none}
  :host([layout=page]) .caption .aside:has(.alertbox){max-width:none;width:100%;margin:0}
  :host([layout=page]) .transport{display:flex;flex-direction:column-reverse;padding-bottom:4px}
  :host([layout=page]) .transport nav{height:56px;padding:0 16px;justify-content:space-between}
  :host([layout=page]) .ladder{height:88px}
  :host([layout=page]) .ladder svg{margin-top:-5px}
  :host([layout=page]) .transport .far,:host([layout=page]) .transport .name,:host([layout=page]) .transport .speed{display:none}
  :host([layout=page]) .icon{width:56px;height:52px;border:1px solid var(--gs-line)}
  :host([layout=page]) .icon.play{width:88px;border:0}
  :host([layout=page]) .transport ::slotted(*){display:none}}

:host([layout=presentation]) .stage{flex:1 1 512px}
:host([layout=presentation]) .caption h2{border:0;font-size:40px;line-height:60px;height:auto;padding:8px 32px 0;gap:0;align-items:baseline}
:host([layout=presentation]) .caption .k{min-width:144px}
:host([layout=presentation]) .caption .say.long{font-size:32px;line-height:40px}
:host([layout=presentation]) .caption .reason{display:block;font-size:24px;line-height:34px;min-height:76px;padding:0 32px 8px 176px;color:var(--gs-ink)}
:host([layout=presentation]) .transport{border:0}
:host([layout=presentation]) .transport nav{height:40px;padding:0 20px}
:host([layout=presentation]) .transport nav>:not(.line){display:none}

@media (prefers-contrast:more),(forced-colors:active){
  :host{border-color:var(--gs-line)}
  .icon{border:1px solid var(--gs-line)}
  .scrubber .knob{stroke:var(--gs-paper);stroke-width:1}}
@media (forced-colors:active){
  .scrubber svg,.still svg,.live{forced-color-adjust:none}
  .icon svg{fill:currentColor}
  .icon.play{border:2px solid}}
`;

/** One sheet for all elements of the page. */
export const sheet = new CSSStyleSheet();
sheet.replaceSync(tokens + rules);

/** The face of the pictures, for those that are drawn as SVG. Fetched when first used. */
const faces = [['inter-regular.woff2', '400'], ['inter-medium.woff2', '500']];
for (const [file, weight] of faces) {
  document.fonts.add(new FontFace('Groupscope Inter', `url(${new URL(`../${file}`, import.meta.url)}) format('woff2')`, {weight}));
}
