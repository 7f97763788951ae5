import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import type { PullProgress } from '../../src/programs/real-platform/pull.js'
import { test as commandLine } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'
import { serve } from '../harness/serve.js'
import { contentsOf, type Document, test } from './platform-test.js'

/** Injects a fault into requests to `/v0`. */
const inject = (url: string, fault: object) =>
  send(`${url}/_admin/faults`, { body: { match: { surface: 'api', path: '/v0/elements' }, ...fault } })

const requestsTo = async (url: string, path: string): Promise<Document[]> =>
  (await send(`${url}/_admin/requests?path=${path}`)).body.data

describe('a platform that does not always answer', () => {
  test.for([
    ['7', 7000],
    ['0', 1000],
  ] as const)(
    'waits for a Retry-After of %s seconds, and for one at least',
    async ([seconds, wait], { emulator, pullFrom, watch }) => {
      await inject(emulator.url, { effect: { status: 429, headers: { 'Retry-After': seconds } }, times: 2 })
      const { document } = await pullFrom()
      expect(watch.waits).toEqual([wait, wait])
      expect(document.organizations[0].courses).toHaveLength(2)
    },
  )

  test('waits as long as Retry-After says as a date', async ({ emulator, pullFrom, watch }) => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    await inject(emulator.url, { effect: { status: 503, headers: { 'Retry-After': date } }, times: 1 })
    await pullFrom()
    expect(watch.waits).toHaveLength(1)
    expect(watch.waits[0]).toBeGreaterThan(80_000)
    expect(watch.waits[0]).toBeLessThanOrEqual(90_000)
  })

  test('does not wait longer than an hour for a rate limit', async ({ emulator, pullFrom, watch }) => {
    await inject(emulator.url, { effect: { status: 429, headers: { 'Retry-After': '86400' } } })
    await expect(pullFrom()).rejects.toMatchObject({ exitStatus: 1, message: expect.stringContaining('status 429') })
    expect(watch.waits).toEqual([])
  })

  test('gives a rate limit up that never lifts', async ({ emulator, pullFrom, watch }) => {
    await inject(emulator.url, { effect: { status: 429, headers: { 'Retry-After': '1' } } })
    await expect(pullFrom()).rejects.toMatchObject({ exitStatus: 1 })
    expect(watch.waits).toHaveLength(20)
  })

  test.for([
    ['status 503', { status: 503 }],
    ['status 500', { status: 500 }],
    ['a reset connection', { connection: 'reset' }],
    ['an empty response', { connection: 'empty' }],
    ['a response that is cut off', { connection: 'truncate' }],
  ] as const)(
    'tries %s five times again, waiting longer each time, and goes on',
    async ([, effect], { emulator, pullFrom, watch }) => {
      await inject(emulator.url, { effect, times: 5 })
      const { counts } = await pullFrom()
      expect(counts.elements).toBe(3)
      expect(watch.waits.map((wait) => Math.floor(wait / 1000))).toEqual([1, 2, 4, 8, 16])
    },
  )

  test.for([
    ['status 503', { status: 503 }, 'GET /v0/elements returned status 503'],
    ['a reset connection', { connection: 'reset' }, 'could not be read: ECONNRESET'],
  ] as const)('does not try %s a sixth time', async ([, effect, message], { emulator, pullFrom, folder }) => {
    await inject(emulator.url, { effect })
    await expect(pullFrom()).rejects.toMatchObject({ exitStatus: 1, message: expect.stringContaining(message) })
    expect(await requestsTo(emulator.url, '/v0/elements')).toHaveLength(6)
    expect(existsSync(join(folder, 'world.json'))).toBe(false)
  })

  test('gives up a platform that is down, and does not wait for it with each request', async ({
    compareWith,
    watch,
  }) => {
    const paths: string[] = []
    const { url: base } = await serve(({ url = '' }, response) => {
      paths.push(url)
      response.writeHead(503).end()
    })
    await expect(compareWith({ base })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/courses returned status 503',
    })
    expect(paths.slice(0, 6)).toEqual(Array(6).fill('/v0/courses'))
    expect(paths.slice(6)).toEqual(
      ['modules', 'elements', 'members', 'activities'].flatMap((of) => Array(2).fill(`/v0/${of}`)),
    )
    expect(watch.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 1000, 1000, 1000, 1000])
  })

  test('is patient again with a platform that has answered', async ({ emulator, between, compareWith }) => {
    const paths: string[] = []
    const base = await between(emulator.url, (passing) => {
      paths.push(passing.path)
      if (passing.path === '/v0/courses' || passing.path === '/v0/elements') passing.status = 503
    })
    await compareWith({ base })
    expect(paths.slice(0, 6)).toEqual(Array(6).fill('/v0/courses'))
    expect(paths.filter((path) => path === '/v0/elements')).toHaveLength(6)
  })

  test('tries a platform again that takes too long', async ({ emulator, pullFrom, watch }) => {
    // Made with its first request, which takes a slow machine longer than the pull waits.
    await send(`${emulator.url}/v0/openapi.json`)
    await inject(emulator.url, { effect: { connection: 'hang' }, times: 1 })
    const { counts } = await pullFrom({ timeout: 3000 })
    expect(counts.elements).toBe(3)
    expect(watch.waits).toHaveLength(1)
  })

  test('does not try a refusal again', async ({ emulator, pullFrom, watch }) => {
    await inject(emulator.url, { effect: { status: 403 } })
    await expect(pullFrom()).rejects.toThrow('GET /v0/elements returned status 403')
    expect(watch.waits).toEqual([])
  })

  test('keeps to the pace that it is given', async ({ pullFrom, watch }) => {
    const { requests } = await pullFrom({ requestsPerSecond: 4 })
    expect(requests).toBeGreaterThan(5)
    expect(watch.now()).toBe((requests - 1) * 250)
  })

  test('gives up a list whose cursors go round', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, (passing) => {
      if (passing.path !== '/v0/elements') return
      Object.assign(passing, { status: 200, body: { error: null, payload: { data: [], next: 'again' } } })
    })
    await expect(pullFrom({ base })).rejects.toThrow('GET /v0/elements does not end: a cursor appeared twice')
  })

  test.for([3, true, {}, undefined])(
    'gives up a list whose next is %s',
    async (next, { emulator, between, pullFrom }) => {
      const base = await between(emulator.url, ({ path, body }) => {
        if (path === '/v0/elements') body.payload = { data: body.payload.data, next, has_more: true }
      })
      await expect(pullFrom({ base })).rejects.toMatchObject({
        exitStatus: 1,
        message: 'GET /v0/elements returned neither a cursor nor null in payload.next',
      })
    },
  )

  test.for([
    [{}, 'no list in payload.data'],
    [[null], 'an item in payload.data that is not an object'],
  ] as const)('gives up a list whose data is %j', async ([data, what], { emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/elements') body.payload.data = data
    })
    await expect(pullFrom({ base })).rejects.toMatchObject({ message: `GET /v0/elements returned ${what}` })
  })

  test.for(['', false, null])('takes %j for the end of a list', async (next, { emulator, between, pullFrom }) => {
    const base = await between(emulator.url, ({ path, body }) => {
      if (path === '/v0/elements') body.payload.next = next
    })
    expect((await pullFrom({ base })).counts.elements).toBe(3)
  })

  test('gives up a list whose next page is refused', async ({ emulator, between, pullFrom }) => {
    const base = await between(emulator.url, (passing) => {
      if (passing.path !== '/v0/elements') return
      if (passing.query.has('page')) Object.assign(passing, { status: 400, body: { error: 'No', payload: null } })
      else passing.body.payload.next = 'more'
    })
    await expect(pullFrom({ base })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/elements returned status 400',
    })
  })

  test('asks for no compressed response, and says what one is', async ({ pullFrom, compareWith }) => {
    const asked: unknown[] = []
    const { url: base } = await serve(({ headers, url }, response) => {
      asked.push(headers['accept-encoding'])
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(url === '/v0/openapi.json' ? '{}' : '{"error":null,"payload":{"data":[],"next":null}}'))
    })
    const message = 'GET /v0/courses returned a body that is not JSON: its content-encoding is gzip'
    await expect(pullFrom({ base })).rejects.toMatchObject({ exitStatus: 1, message })
    await expect(compareWith({ base })).rejects.toMatchObject({ exitStatus: 1, message })
    expect(new Set(asked)).toEqual(new Set(['identity']))
  })

  test('gives up a list that always has another cursor', async ({ emulator, between, pullFrom }) => {
    let pages = 0
    const base = await between(emulator.url, (passing) => {
      if (passing.path !== '/v0/elements') return
      Object.assign(passing, { status: 200, body: { error: null, payload: { data: [], next: `page-${pages++}` } } })
    })
    await expect(pullFrom({ base, mostPages: 20 })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/elements does not end: it has more than 20 pages',
    })
    expect(pages).toBe(20)
  })

  test('says so when JSON is nested without end', async ({ emulator, between, pullFrom, compareWith }) => {
    const levels = 2_000_000
    const deep = `{"error":null,"payload":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const base = await between(emulator.url, (passing) => {
      if (passing.path === '/v0/members') passing.body = deep
    })
    const reason = 'its response is nested deeper than 100 levels'
    const message = `GET ${base}/v0/members could not be read: ${reason}`
    await expect(pullFrom({ base })).rejects.toMatchObject({ exitStatus: 1, message })
    const { url: other } = await serve((_, response) => response.end(deep))
    await expect(compareWith({ base: other })).rejects.toMatchObject({
      exitStatus: 1,
      message: `GET ${other}/v0/courses could not be read: ${reason}`,
    })
  })

  test.for([
    [
      'no JSON',
      (passing: Document) => {
        passing.body = '<html>'
      },
    ],
    [
      'no envelope',
      (passing: Document) => {
        passing.body = passing.body.payload
      },
    ],
    [
      'no list',
      (passing: Document) => {
        passing.body.payload.data = 'none'
      },
    ],
  ] as const)('says so when a list is answered with %s', async ([, alter], { emulator, between, pullFrom }) => {
    const base = await between(emulator.url, (passing) => {
      if (passing.path === '/v0/members') alter(passing)
    })
    await expect(pullFrom({ base })).rejects.toMatchObject({
      exitStatus: 1,
      message: expect.stringContaining('GET /v0/members returned'),
    })
  })

  test('follows no redirect, so that the key goes nowhere else', async ({ pullFrom, compareWith }) => {
    const seen: unknown[] = []
    const { url: thief } = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    const { url: base } = await serve((_, response) => response.writeHead(302, { location: `${thief}/?key=1` }).end())
    const target = `${thief}/: --from must be the API's own address`
    const message = `GET /v0/courses returned status 302, a redirect to ${target}`
    await expect(pullFrom({ base })).rejects.toMatchObject({ exitStatus: 1, message })
    await expect(compareWith({ base })).rejects.toMatchObject({ exitStatus: 1, message })
    expect(seen).toEqual([])
  })

  test('compares nothing with the pages of a web site', async ({ compareWith }) => {
    const { url: base } = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html>'))
    await expect(compareWith({ base })).rejects.toMatchObject({
      exitStatus: 1,
      message: 'GET /v0/courses returned a body that is not JSON',
    })
  })

  test('reads no endless response', async ({ pullFrom }) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const { url: base } = await serve((request, response) => {
      const more = () => {
        if (!request.socket.destroyed) response.write(chunk, more)
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      more()
    })
    await expect(pullFrom({ base })).rejects.toThrow('its response is larger than 64 MB')
  })
})

describe('an interrupted pull', () => {
  test.override({ settings: { pageSize: 1 } })

  /** Stops after so many pages of a list. */
  const stopAt = (list: string, pages: number) => {
    const stop = new AbortController()
    let seen = 0
    const onProgress = (progress: PullProgress) => {
      if ('list' in progress && progress.list === list && ++seen === pages) stop.abort()
    }
    return { signal: stop.signal, onProgress }
  }

  test.for([
    ['courses', 1],
    ['elements', 2],
    ['members', 1],
    ['course_members', 2],
    ['activities', 1],
  ] as const)('goes on where it stopped among %s', async ([list, pages], { emulator, pullFrom, folder }) => {
    const whole = await pullFrom({ out: join(folder, 'whole.json') })
    await expect(pullFrom(stopAt(list, pages))).rejects.toMatchObject({
      exitStatus: 1,
      message: `interrupted; run the same command again to continue from ${join(folder, 'world.json.pull')}`,
    })
    const before = (await requestsTo(emulator.url, '*')).length

    const told: PullProgress[] = []
    const rest = await pullFrom({ onProgress: (progress) => void told.push(progress) })
    expect(told[0]).toEqual({ resumed: join(folder, 'world.json.pull') })
    expect(rest.document).toEqual(whole.document)
    expect(rest.requests).toBeLessThan(whole.requests)
    expect((await requestsTo(emulator.url, '*')).length - before).toBe(rest.requests)
    expect(existsSync(join(folder, 'world.json.pull'))).toBe(false)
  })

  test('goes on although the last page was only half written', async ({ pullFrom, folder }) => {
    const whole = await pullFrom({ out: join(folder, 'whole.json') })
    await expect(pullFrom(stopAt('elements', 2))).rejects.toThrow('interrupted')
    const file = join(folder, 'world.json.pull', 'pages.jsonl')
    await writeFile(file, '{"id":"half', { flag: 'a' })
    expect((await pullFrom()).document).toEqual(whole.document)
  })

  test('reads a list again whose cursor is no longer good', async ({ emulator, between, pullFrom, folder }) => {
    let isStale = false
    const meeting = { type: 'TEAMS', properties: { start_date: null, end_date: null, meeting_reports: true } }
    const base = await between(emulator.url, (passing) => {
      if (passing.path === '/v0/elements') {
        for (const item of passing.body.payload.data)
          Object.assign(item, { locale: 'en' }, item.id === 'page' && meeting)
      }
      if (!isStale || !passing.query.has('page')) return
      Object.assign(passing, { status: 400, body: { error: 'Validation failed', payload: null } })
      isStale = false
    })
    const whole = await pullFrom({ base, out: join(folder, 'whole.json') })
    await expect(pullFrom({ base, ...stopAt('elements', 2) })).rejects.toThrow('interrupted')
    isStale = true
    const { document, counts, approximations } = await pullFrom({ base })
    expect(document).toEqual(whole.document)
    expect(document.settings).toEqual({ element_type_names: { MEETING_PROVIDER_A: 'TEAMS' } })
    expect(counts.elements).toBe(3)
    expect(approximations).toEqual(whole.approximations)
    const ids = ['page', 'review', 'essay']
    expect(approximations).toMatchObject([
      { field: 'locale', count: 3, ids },
      { field: 'type', count: 1 },
    ])
  })

  test('is not mixed with one of another key or other flags', async ({ pullFrom, folder }) => {
    await expect(pullFrom(stopAt('elements', 1))).rejects.toThrow('interrupted')
    const refused = { exitStatus: 2, message: expect.stringContaining('contains an unfinished pull with another') }
    await expect(pullFrom({ apiKey: 'key_zenith' })).rejects.toMatchObject(refused)
    await expect(pullFrom({ keepPeople: true })).rejects.toMatchObject(refused)
    await expect(pullFrom({ courses: ['course1'] })).rejects.toMatchObject(refused)
    await writeFile(join(folder, 'world.json.pull', 'pages.jsonl'), 'broken')
    await expect(pullFrom()).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringContaining('cannot be read'),
    })
  })

  test('keeps the files of another version, whose pages it cannot read', async ({ pullFrom, folder }) => {
    const kept = join(folder, 'world.json.pull')
    const progress = join(kept, 'pages.jsonl')
    await mkdir(kept)
    await writeFile(progress, '{"format":3}\n')
    const message = `${progress} cannot be read. Delete the folder to start again`
    await expect(pullFrom({ apiKey: 'wrong' })).rejects.toMatchObject({ exitStatus: 2, message })
    expect(await readFile(progress, 'utf8')).toBe('{"format":3}\n')
  })

  test('is not mixed with one that is still running', async ({ pullFrom, folder }) => {
    const first = pullFrom()
    const message = `another pull is writing to ${join(folder, 'world.json.pull')}; wait for its end`
    await expect(pullFrom()).rejects.toMatchObject({ exitStatus: 2, message })
    expect((await first).counts.elements).toBe(3)
    expect(await readdir(folder)).toEqual(['world.json'])
  })

  test('lets nobody but its owner see what it has read', async ({ pullFrom, folder }) => {
    await expect(pullFrom(stopAt('members', 1))).rejects.toThrow('interrupted')
    const kept = join(folder, 'world.json.pull')
    expect((await stat(kept)).mode & 0o777).toBe(0o700)
    for (const name of (await readdir(kept)).filter((name) => /json/.test(name))) {
      expect([name, (await stat(join(kept, name))).mode & 0o077]).toEqual([name, 0])
    }
    expect(await readFile(join(kept, '.gitignore'), 'utf8')).toBe('*\n')
    expect(await contentsOf(kept)).not.toContain('key_acme')
  })

  test('leaves nothing behind when not even one page came', async ({ pullFrom, folder }) => {
    await expect(pullFrom({ apiKey: 'wrong' })).rejects.toThrow('the credential was rejected')
    expect(await readdir(folder)).toEqual([])
  })
})

describe('an address that cannot be used', () => {
  commandLine.for([
    ['--from', 'http://api.example.com', '--from would send the credential unencrypted; use https://'],
    ['--issuer', 'http://127.0.0.1:1/tenant', '--issuer must be an origin, without a path'],
    // No credential goes to an issuer.
    ['--issuer', 'http://app.example.com', 'missing.json cannot be read (ENOTDIR)'],
  ] as const)('%s %s is rejected before anything is read', async ([flag, address, message], { run, folder }) => {
    await writeFile(join(folder, 'file'), '')
    const from = flag === '--from' ? [] : ['--from', 'http://127.0.0.1:1']
    const rest = ['--api-key', 'key_acme', '--write-settings', 'file/missing.json']
    expect(await run(['compare', ...from, flag, address, ...rest])).toMatchObject({
      ...{ status: 2, stdout: '' },
      stderr: expect.stringContaining(`${message}\n`),
    })
  })
})

describe('a file that cannot be used', () => {
  commandLine.for([
    ['compare', '--write-settings', 'broken.json', 'broken.json is not valid JSON'],
    ['compare', '--write-settings', 'list.json', 'list.json: settings must be an object'],
    ['pull', '--out', '-', '--out -: pull keeps its progress beside the output file; name a file'],
  ] as const)('ends %s %s %s before anything is read', async ([command, flag, file, message], { run, folder }) => {
    await writeFile(join(folder, 'broken.json'), '{')
    await writeFile(join(folder, 'list.json'), '{"settings":[]}')
    const from = ['--from', 'http://127.0.0.1:1', '--api-key', 'key_acme']
    expect(await run([command, ...from, flag, file])).toEqual({
      ...{ status: 2, signal: null, stdout: '' },
      stderr: `mockademy: ${message}\n`,
    })
    const both = await run(['compare', ...from, '--markdown', 'same', '--write-settings', './same'])
    expect(both).toMatchObject({
      status: 2,
      stderr: 'mockademy: --markdown and --write-settings name the same file, ./same: name another one\n',
    })
    expect(await readFile(join(folder, 'broken.json'), 'utf8')).toBe('{')
    expect(await readdir(folder)).toEqual(['broken.json', 'list.json'])
  })
})

describe('Ctrl-C', () => {
  commandLine.for([
    ['pull', 'nothing was read'],
    ['compare', ''],
  ] as const)('ends %s with status 130 and one line', async ([command, rest], { launch }) => {
    const server = createServer()
    const { url: from } = await serve(server)
    const { child, ended } = launch([command, '--from', from, '--api-key', 'key_acme'])
    await once(server, 'request')
    child.kill('SIGINT')
    const stderr = `mockademy: interrupted${rest && `; ${rest}`}\n`
    expect(await ended).toEqual({ status: 130, signal: null, stdout: '', stderr })
  })
})
