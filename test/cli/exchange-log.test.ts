import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { StreamEvent } from '../../src/control/client/event-stream.js'
import { printEvents } from '../../src/programs/cli/dev/exchange-log.js'

const page = `<!DOCTYPE html>
<html lang="en">
<head><title>Error</title><style>p { margin: 0 }</style></head>
<body><pre>TypeError: x is undefined<br> &nbsp; &nbsp;at /app.js:14:6<br> &nbsp; &nbsp;at next</pre></body></html>`

test.for([
  ['the error page of express without its tags', page, 'TypeError: x is undefined', ['at /app.js:14:6', 'at next']],
  ['a page with a line for each block', '<html>no<p class="x">One<h2>Two</h2>Three', 'no', ['One', 'Two', 'Three']],
  ['text in several lines', 'boom\n\n  at app.py, line 3\n', 'boom', ['at app.py, line 3']],
  ['a line that the error quotes', 'bad signature', 'bad signature', []],
  ['JSON', { detail: 'no', at: 3 }, 'no', ['{"detail":"no","at":3}']],
  ['a long text', `no\n${'x'.repeat(300)}\ntwo\nthree\nfour`, 'no', ['x'.repeat(200), 'two', 'three']],
  ['nothing', null, '', []],
] as const)('of the response to a failed webhook, dev prints %s once', async ([, body, said, rest]) => {
  const attempt = { error: `the app responded with 500 "${said}"; the app failed`, response: { body } }
  const data = { id: 'dlv_1', organization: 'acme', event: { type: 'app.installed' }, attempts: [attempt] }
  const printed: string[] = []
  const events = (async function* () {
    yield { type: 'delivery', data } as unknown as StreamEvent
  })()
  await printEvents(events, { print: (line) => printed.push(line), attempts: new Map(), onWorld() {} })
  expect(printed.shift()).toBe(`not acknowledged: app.installed in acme: ${attempt.error}`)
  expect(printed.map((line) => line.trim())).toEqual(rest)
})

test('an attempt that was made before dev looked is not printed, nor again after a reset', async () => {
  const old = { error: 'old', response: null }
  const failed = { error: 'new', response: null }
  const delivery = (id: string, ...attempts: object[]) => ({
    type: 'delivery',
    data: { id, organization: 'acme', event: { type: 'app.installed' }, attempts },
  })
  const printed: string[] = []
  const events = (async function* () {
    yield delivery('one', old, { error: null, response: null })
    // Its address has changed.
    yield delivery('known', old)
    yield delivery('two', old, failed)
    yield delivery('seeded', old, failed)
    yield { type: 'world', data: { why: 'reset' } }
    // Its id is that of a delivery before the reset.
    yield delivery('seeded', failed)
    yield delivery('two', old, { error: null, response: null })
    yield delivery('two', old, { error: null, response: null }, failed)
  })() as AsyncIterable<StreamEvent>
  await printEvents(events, { print: (line) => printed.push(line), attempts: new Map([['known', 1]]), onWorld() {} })
  expect(printed).toEqual(Array(4).fill('not acknowledged: app.installed in acme: new'))
})

test('a finding is printed once for each app, and again after a reset', async () => {
  const finding = (app: string) => ({
    type: 'finding',
    data: { rule: 'polling', level: 'hint', app, message: `${app} polls` },
  })
  const printed: string[] = []
  const events = (async function* () {
    for (const app of ['notes', 'notes', 'todo']) yield finding(app)
    yield { type: 'world', data: { why: 'reset' } }
    yield finding('notes')
    await setImmediate()
  })() as AsyncIterable<StreamEvent>
  await printEvents(events, { print: (line) => printed.push(line), attempts: new Map(), onWorld() {} })
  const lines = ['notes', 'todo', 'notes'].map(
    (app) => `finding hint: ${app} polls (mockademy findings --explain polling)`,
  )
  expect(printed).toEqual(lines)
})
