import { hash, randomBytes } from 'node:crypto'
import { customRandom } from 'nanoid'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Blocks of a part of the sequence: 2 to the power of 32 of them are safe integers. */
const PART = 2 ** 20

/** The random generator of a world. */
export type Random = ReturnType<typeof createRandom>

/**
 * Creates the random generator of a world. With a seed, the same calls in the same order draw the same values. wire: §1
 * @param seed any string; without one, the system's randomness is used and `draws` stays 0.
 * @param isTaken returns true for an id or a secret of the world.
 */
export function createRandom(seed: string | undefined, isTaken: (text: string) => boolean) {
  /** The end of the name of each block that an event id is made of. */
  let suffix = ''
  const bytes = (count: number): Uint8Array => {
    if (seed === undefined) return randomBytes(count)
    const blocks: Buffer[] = []
    for (let length = 0; length < count; length += 32) {
      blocks.push(hash('sha256', `${seed}:${random.draws++}${suffix}`, 'buffer'))
    }
    return Buffer.concat(blocks).subarray(0, count)
  }
  const alphanumeric = (size: number) => customRandom(ALPHANUMERIC, size, bytes)
  const sixteen = alphanumeric(16)
  const twentyFour = alphanumeric(24)

  const random = {
    /** 16 characters of `[A-Za-z0-9]` behind `prefix`: the id of a resource. */
    id: (prefix = ''): string => random.unused(() => prefix + sixteen()),
    /**
     * `evt_` and 24 characters of `[A-Za-z0-9]`, or another form that `draw` has. After a reset or a restore it is another
     * one than before: an app rightly ignores events that come again.
     */
    eventId(draw = () => `evt_${twentyFour()}`): string {
      suffix = random.restores === 0 ? '' : `:${random.restores}`
      const id = random.unused(draw)
      suffix = ''
      return id
    },
    /** An opaque secret of 256 bits behind `prefix`. wire: §6 */
    secret: (prefix: string): string => random.unused(() => prefix + Buffer.from(bytes(32)).toString('base64url')),
    /** Characters of an alphabet: what has another form than the usual. */
    text: (alphabet: string, size: number): string => customRandom(alphabet, size, bytes)(),
    /** Draws again while the text is an id or a secret of the world, which has those of earlier runs of its seed. */
    unused(draw: () => string): string {
      let text = draw()
      while (seed !== undefined && isTaken(text)) text = draw()
      random.made?.add(text)
      return text
    },
    /** Collects ids and secrets as they are made, if it is set. */
    made: undefined as Set<string> | undefined,
    /** A number in [0, 1), for probabilities. */
    fraction: (): number => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32,
    /**
     * Continues, with a seed, in a part of the sequence that only this name has. What is drawn there is not drawn again
     * after a restore, which goes back to the part before.
     */
    leap(name: string): void {
      if (seed !== undefined) random.draws = (hash('sha256', name, 'buffer').readUInt32BE() + 1) * PART
    },
    /** The number of blocks drawn by a seeded generator, which continues from there after a restart or a reset. */
    draws: 0,
    /** The number of times that this process has reset, restored or replaced the world. */
    restores: 0,
  }
  return random
}
