/** The styles of the dashboard: one style element, which the policy allows by its hash. */
export const styles = `
:root { color-scheme: light dark; --ink: #16202c; --muted: #55616f; --line: #dfe4ea; --surface: #ffffff; --canvas: #f6f7f5; --accent: #2f3f8f; --track: #eceefa; --warm: #b5651d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9edf2; --muted: #a5b0bd; --line: #2a3440; --surface: #171d25; --canvas: #10151b; --accent: #8f9ff0; --track: #232b3d; --warm: #dd9a5b; } }
* { box-sizing: border-box; margin: 0; }
body { padding: 16px; background: var(--canvas); color: var(--ink); font: 14px/20px -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; margin-bottom: 12px; }
h1 { font-size: 18px; line-height: 24px; }
header p { color: var(--muted); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 0 0 12px; }
.tiles > div, section { padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
dt { color: var(--muted); }
dd { margin: 0; }
.figure { font-size: 24px; line-height: 32px; font-weight: 600; }
.note { color: var(--muted); font-size: 13px; }
.charts { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
section:first-child { grid-row: span 2; }
h2 { margin-bottom: 8px; font-size: 14px; line-height: 20px; }
svg { display: block; width: 100%; height: auto; max-height: 320px; overflow: visible; }
text { fill: var(--ink); font-size: 14px; }
.charts section:not(:first-child) text { font-size: 13px; }
text.value { font-weight: 600; }
.bar { fill: var(--accent); }
.track { fill: var(--track); }
.line { stroke: var(--line); }
.course { fill: none; stroke: var(--warm); stroke-width: 3; stroke-linejoin: round; }
.dot { fill: var(--surface); stroke: var(--warm); stroke-width: 3; }
.refused { max-width: 560px; margin: 15vh auto 0; text-align: center; }
.refused p { margin-top: 8px; color: var(--muted); }
@media (max-width: 720px) { .tiles { grid-template-columns: 1fr 1fr; } .charts { grid-template-columns: 1fr; } body { padding: 12px; } text { font-size: 17px; } .charts section:not(:first-child) text { font-size: 16px; } }
`
