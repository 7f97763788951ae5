import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from 'mockademy'
import { expect } from 'vitest'
import { test } from './small-app.js'

test('a secret that lies across the end of what a report shows is not shown in part', async ({ app }) => {
  const tokens = new Set<string>()
  app.behaves((isGenuine, response, body) => {
    const token = /"access_token"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? ''
    if (isGenuine && token) tokens.add(token)
    const page = `${'x'.repeat(180)} ${token} and more`
    response.writeHead(isGenuine ? 500 : 401, { 'content-type': 'text/plain' }).end(page)
  })
  const report = await audit({ url: app.emulator.url, file: { app: 'small' }, only: ['webhook.raw-body'] })
  expect(report.checks[0]?.seen).toMatch(/status 500: x{180} \[access token\] and/)
  expect(tokens.size).toBeGreaterThan(0)
  for (const token of tokens) expect(JSON.stringify(report)).not.toContain(token.slice(0, 12))
})

test('no form of a report shows the client secret, or a token that the app got itself', async ({
  app,
  run,
  folder,
}) => {
  const { url, admin } = app.emulator
  const { client_id } = await admin.getApp('small')
  const { client_secret } = await admin.getAppSecrets('small')
  const tokens: string[] = []
  app.behaves(async (_, response, body) => {
    const { refresh_token = '' } = JSON.parse(body).data.credentials ?? {}
    const grant = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
    const refreshed = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) })
    const pair = (await refreshed.json()) as { access_token: string; refresh_token: string }
    tokens.push(pair.access_token, pair.refresh_token)
    response.end(`refreshed with ${client_secret}: ${pair.access_token} and ${pair.refresh_token}`)
  })
  await writeFile(join(folder, 'mockademy.audit.json'), '{ "app": "small" }')
  const command = ['audit', '--url', url, '--only', 'webhook.unsigned']
  const reports = ['--json', '--junit', 'audit.xml', '--markdown', 'audit.md', '--sarif', 'audit.sarif']
  const printed = [await run(command), await run([...command, ...reports])].map(({ stdout }) => stdout)
  const written = ['audit.xml', 'audit.md', 'audit.sarif'].map((file) => readFile(join(folder, file), 'utf8'))
  for (const text of [...printed, ...(await Promise.all(written))]) {
    expect(text).toContain('refreshed with [client secret]: [access token] and [refresh token]')
    for (const secret of [client_secret, ...tokens]) expect(text).not.toContain(secret)
  }
  expect(tokens.length).toBeGreaterThan(0)
})

test('a header without a value is sent by the command that shows it, though curl would leave it out', async ({
  app,
}) => {
  app.behaves((isGenuine, response) => {
    const isEmpty = response.req.headers['platform-signature'] === ''
    response.writeHead(isGenuine ? 200 : isEmpty ? 500 : 401).end()
  })
  const { checks } = await audit({ url: app.emulator.url, file: { app: 'small' }, only: ['webhook.short-signature'] })
  expect(checks[0]?.sent).toContain(" -H 'platform-signature;' ")
})
