/** The colors of every page and of the console, light and dark by the system's choice. */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f9; --surface: #ffffff; --line: #d9dce6; --ink: #1b1f2e; --soft: #565d73;
  --accent: #4338ca; --accent-ink: #ffffff; --accent-soft: #eeedfc; --warn: #92400e; --warn-soft: #fef3c7;
  --good: #166534; --good-soft: #dcfce7; --shadow: 0 1px 2px rgb(20 24 40 / .06), 0 8px 24px rgb(20 24 40 / .07);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10121a; --surface: #191c27; --line: #323748; --ink: #eceef6; --soft: #a7aec3;
    --accent: #a5a1ff; --accent-ink: #14122e; --accent-soft: #26244a; --warn: #fcd34d; --warn-soft: #3a2c0c;
    --good: #86efac; --good-soft: #11301c; --shadow: none;
  }
}
`
