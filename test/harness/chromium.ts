import { existsSync } from 'node:fs'

/** The shell alone, which has nothing but pages, needs half of the processor time of the whole browser. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Path of the browser for tests: `CHROMIUM`, or else that of Debian's packages. */
export const chromiumPath = process.env.CHROMIUM ?? places.find((place) => existsSync(place)) ?? (places[0] as string)
