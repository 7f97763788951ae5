import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { onEvent, onResync } from '../live/connection.js'
import { Problem, sendCall, tokenRefused } from './call.js'

/** What a GET of the control API answered, kept up to date while somebody looks at it. */
export interface Resource<T> {
  data: ReadonlySignal<T | undefined>
  problem: ReadonlySignal<Problem | undefined>
  reload: () => void
}

interface Shared extends Resource<unknown> {
  watch(): () => void
}

/** Read again at most so often while records change, in ms. */
const AT_MOST_EVERY = 400

const shared = new Map<string, Shared>()

function createResource(path: string, collections: string[]): Shared {
  const data = signal<unknown>(undefined)
  const problem = signal<Problem | undefined>(undefined)
  let watchers = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  let stop: (() => void)[] = []

  const load = async () => {
    timer = undefined
    const mine = ++asked
    try {
      const answer = await sendCall<unknown>({ method: 'GET', path })
      if (mine !== asked) return
      data.value = answer
      problem.value = undefined
    } catch (error) {
      if (mine !== asked || tokenRefused.value) return
      problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    }
  }
  const soon = () => {
    timer ??= setTimeout(load, AT_MOST_EVERY)
  }
  return {
    data,
    problem,
    reload: () => void load(),
    watch() {
      if (watchers++ === 0) {
        void load()
        stop = [
          onResync(() => void load()),
          onEvent('change', (change) => {
            if (collections.includes((change as { collection: string }).collection)) soon()
          }),
        ]
      }
      return () => {
        if (--watchers > 0) return
        clearTimeout(timer)
        timer = undefined
        for (const end of stop) end()
        shared.delete(path)
      }
    },
  }
}

/**
 * The answer to `GET path`, read again when a record of one of the collections changes or the world becomes another.
 * Components that ask for the same path share one.
 */
export function useResource<T>(path: string, collections: string[]): Resource<T> {
  const resource = useMemo(() => {
    const found = shared.get(path) ?? createResource(path, collections)
    shared.set(path, found)
    return found
  }, [path])
  useEffect(() => resource.watch(), [resource])
  return resource as Resource<T>
}

/** A list's items; none until they are there. */
export function useList<T>(path: string, collections: string[]): { items: T[]; ready: boolean; problem?: Problem } {
  const { data, problem } = useResource<{ data: T[] }>(path, collections)
  return {
    items: data.value?.data ?? [],
    ready: data.value !== undefined,
    ...(problem.value && { problem: problem.value }),
  }
}
