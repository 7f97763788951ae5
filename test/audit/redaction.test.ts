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
