import type { World } from '../world.js'

/** An HTTP POST to an app. */
export interface PostRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Real milliseconds until the answer must be there. */
  timeout: number
  signal: AbortSignal
}

export interface PostAnswer {
  status: number
  headers: Record<string, string>
  /** At most 1 MB of it. */
  body: string
}

/** The one way in which the emulator opens a connection. Rejects with a `PostFailure`. wire: §7 */
export type Post = (request: PostRequest) => Promise<PostAnswer>

export const createPost =
  (_world: () => World): Post =>
  () =>
    Promise.reject(new Error('unreachable'))
