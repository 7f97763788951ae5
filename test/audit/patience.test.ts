import { describe, expect, test } from 'vitest'
import { createPatience } from '../../src/programs/audit/timing/patience.js'

/** After nine responses that took so many milliseconds. */
function patienceAfter(duration: number) {
  const patience = createPatience(500)
  for (let n = 0; n < 9; n++) patience.onResponse(duration)
  return patience
}

describe('a busy machine, on which the app responds slowly', () => {
  test('gives a check more time, up to five minutes', () => {
    expect(createPatience(500).checkTimeout()).toBe(120_000)
    expect(patienceAfter(5).checkTimeout()).toBe(122_000)
    expect(patienceAfter(200).checkTimeout()).toBe(200_000)
    expect(patienceAfter(5_000).checkTimeout()).toBe(300_000)
  })

  test('gives work in the background more time, up to three seconds', () => {
    expect(createPatience(500).background()).toBe(500)
    expect(patienceAfter(20).background()).toBe(700)
    expect(patienceAfter(5_000).background()).toBe(3_500)
  })

  test('so does a queue that works off one event after another', () => {
    const patience = patienceAfter(5)
    patience.onEffect(250)
    expect(patience.background()).toBe(3_000)
    patience.onEffect(5_000)
    expect(patience.background()).toBe(3_500)
  })

  test('is told from one slow response', () => {
    const patience = patienceAfter(5)
    patience.onResponse(20_000)
    expect(patience.checkTimeout()).toBe(122_000)
  })
})
