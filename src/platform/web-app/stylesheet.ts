import { PALETTE } from './palette.js'

export const STYLESHEET_PATH = '/assets/web-app.css'

/** The look of every page: light and dark, phone and desk, no font or image from elsewhere. */
export const stylesheet = `${PALETTE}* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); }
.top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 1rem 1.25rem; white-space: nowrap; }
.brand { display: inline-flex; align-items: center; gap: .6rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.mark { width: 1.1rem; height: 1.1rem; border-radius: .35rem; background: var(--accent); }
nav { display: flex; align-items: center; gap: 1rem; font-size: .9rem; min-width: 0; }
.who { color: var(--soft); overflow: hidden; text-overflow: ellipsis; }
main { flex: 1; width: 100%; max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
footer { padding: 1rem 1.25rem 1.5rem; text-align: center; font-size: .85rem; color: var(--soft); }
.card {
  background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
  padding: 1.75rem; margin-bottom: 1.25rem;
}
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
.card > h2:first-child { margin-top: 0; }
.card > :last-child, .card form > :last-child { margin-bottom: 0; }
.card form + p { margin-top: .6rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
ul.plain { list-style: none; margin: 0 0 1.25rem; padding: 0; }
ul.plain > li { padding: .6rem 0; border-top: 1px solid var(--line); }
ul.plain > li:first-child { border-top: 0; }
ul.people > li { border-top: 0; padding: .1rem 0; }
ul.people { margin: 0 -.7rem; }
ul.grants > li { display: flex; gap: .7rem; align-items: baseline; }
ul.grants > li::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--accent); }
code, .code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.code {
  display: block; padding: .7rem .85rem; margin: 0 0 1rem; border-radius: .6rem;
  background: var(--ground); border: 1px solid var(--line);
}
.wide :is(th, td) { min-width: 4rem; padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; }
.wide thead { overflow-wrap: normal; }
mark { background: var(--warn-soft); color: var(--warn); border-radius: .2rem; padding: 0 .1em; font-weight: 650; }
.tag {
  display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8rem; overflow-wrap: anywhere;
  background: var(--accent-soft); color: var(--accent);
}
.note { padding: .75rem .9rem; border-radius: .6rem; margin: 0 0 1rem; }
.note.good { background: var(--good-soft); color: var(--good); }
.note.warn { background: var(--warn-soft); color: var(--warn); }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  padding: .65rem 1.2rem; border-radius: .65rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--accent-ink); max-width: 100%; overflow-wrap: break-word;
}
button.quiet, .button.quiet { background: transparent; color: var(--ink); border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem; }
.actions > * { flex: 1 1 8rem; }
button.person {
  display: flex; width: 100%; gap: .9rem; align-items: center; text-align: left; font-weight: 400;
  background: transparent; color: var(--ink); border-color: transparent; border-radius: .75rem; padding: .6rem .7rem;
}
button.person:hover { background: var(--accent-soft); filter: none; }
.avatar {
  flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%;
  background: var(--accent-soft); color: var(--accent); font-weight: 650;
}
.person strong { display: block; }
.person .lines { min-width: 0; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .2rem; }
fieldset { border: 0; margin: 0; padding: 0; }
legend { padding: 0; font-weight: 650; margin-bottom: .4rem; }
label.choice {
  display: flex; gap: .7rem; align-items: center; padding: .65rem .8rem; margin-bottom: .5rem;
  border: 1px solid var(--line); border-radius: .65rem; cursor: pointer;
}
label.choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
input[type="radio"] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; margin: 0; }
.search { display: flex; gap: .6rem; margin: .3rem 0 1rem; }
input[type="search"] {
  flex: 1; min-width: 0; font: inherit; color: inherit; padding: .6rem .8rem; border-radius: .65rem;
  background: var(--ground); border: 1px solid var(--line);
}
@media (max-width: 30rem) { .card { padding: 1.25rem; } main { padding-top: .5rem; } }
`
