import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { ROOT, test } from '../harness/command-line.js'

const { services, volumes } = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'))
const { mockademy, app } = services
const folder = mockademy.volumes.find((volume: string) => volume.includes(':/fixtures')).split(':')[0]
const worldFile = join(ROOT, folder, 'world.json')
const world = JSON.parse(await readFile(worldFile, 'utf8'))
const [notes] = world.apps

/** URL of a service for a browser: the address on this machine to which its port is published. */
const published = ({ ports: [port] }: { ports: string[] }) => {
  const [host, outside] = (port as string).split(':')
  return `http://${host === '127.0.0.1' ? 'localhost' : host}:${outside}`
}

describe('the Compose file', () => {
  test('gives the emulator settings that exist, and both of its addresses', async ({ run }) => {
    const { stdout: help } = await run(['start', '--help'])
    for (const name of Object.keys(mockademy.environment)) {
      expect(help).toContain(` --${name.replace('MOCKADEMY_', '').toLowerCase().replaceAll('_', '-')} `)
    }
    expect(mockademy.environment).toEqual({
      MOCKADEMY_APP_URL: app.environment.PLATFORM_APP_URL,
      MOCKADEMY_BROWSER_URL: published(mockademy),
    })
    expect(new URL(mockademy.environment.MOCKADEMY_APP_URL).hostname).toBe('mockademy')
  })

  test('publishes ports to this machine only', () => {
    for (const { ports } of [mockademy, app]) expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)])
  })

  test('runs the emulator with as few rights as it promises to need', () => {
    expect(mockademy).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    const [, data] = mockademy.volumes
    expect(data).toBe('world:/data')
    expect(Object.keys(volumes)).toEqual(['world'])
  })

  test('waits for its health, which Docker asks for often until it is there', () => {
    expect(app.depends_on).toEqual({ mockademy: { condition: 'service_healthy' } })
    expect(mockademy.healthcheck).toEqual({ start_period: '30s', start_interval: '200ms' })
  })

  test('begins with a valid world, whose app has the secrets and addresses of the service', async ({ run }) => {
    expect(await run(['validate', worldFile])).toMatchObject({ status: 0, stderr: '' })
    expect(app.environment).toMatchObject({
      PLATFORM_CLIENT_ID: notes.client_id,
      PLATFORM_CLIENT_SECRET: notes.client_secret,
      PLATFORM_SIGNING_SECRET: notes.signing_secret,
      ORIGIN: published(app),
    })
    const { webhook, oauth, post_install_action } = notes.manifest
    expect(webhook.url).toBe(`http://app:${app.environment.PORT}/webhook`)
    expect(world.settings.trust_hosts).toEqual(['app'])
    for (const url of [...oauth.authorize.redirect_uris, post_install_action.url]) {
      expect(new URL(url).origin).toBe(published(app))
    }
  })

  test('starts the example app, and where others reach it', async () => {
    const [, script] = app.command
    const source = await readFile(join(ROOT, script), 'utf8')
    for (const name of ['PORT', 'HOST']) expect(source).toContain(`process.env.${name}`)
    expect(app.environment.HOST).toBe('0.0.0.0')
    expect(app.ports[0]).toMatch(new RegExp(`:${app.environment.PORT}$`))
  })
})
