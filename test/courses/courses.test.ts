import { describe, expect } from 'vitest'
import { test } from '../harness/emulator-test.js'

describe('wire §3: courses', () => {
  test("lists the organization's courses, newest first", async ({ call }) => {
    const { status, body } = await call('/v0/courses', { as: 'key_acme' })
    expect(status).toBe(200)
    expect(body.error).toBeNull()
    expect(body.payload.data.map(({ id }: { id: string }) => id)).toEqual(['course2', 'course1'])
    expect(body.payload.next).toBeNull()
  })
})
