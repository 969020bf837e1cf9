/** The page's styles: the reader's color scheme, and a column width suited to reading and printing. */
export const STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,CanvasText 18%,Canvas);--quiet:color-mix(in srgb,CanvasText 70%,Canvas);--box:color-mix(in srgb,CanvasText 5%,Canvas)}
body{margin:0;font:16px/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:760px;margin:0 auto;padding:32px 16px 64px}
h1{font-size:26px;line-height:1.3;overflow-wrap:anywhere}
article{margin:24px 0;overflow-wrap:anywhere}
article>h2{margin:0 0 4px;font-size:14px;color:var(--quiet)}
.question{padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:var(--box)}
.text{white-space:pre-wrap}
pre{padding:12px;border:1px solid var(--line);border-radius:6px;overflow-x:auto;background:var(--box)}
code,pre{font:14px/1.5 ui-monospace,Menlo,Consolas,monospace}
table{border-collapse:collapse}
th,td{padding:4px 10px;border:1px solid var(--line);text-align:start}
blockquote{margin:0;padding-inline-start:12px;border-inline-start:3px solid var(--line);color:var(--quiet)}
img{max-width:100%}
footer,summary,.attached,.note{font-size:14px;color:var(--quiet)}
@media print{details>pre{white-space:pre-wrap}}
`;
