import type { Forms } from '../world/forms.js'
import type { Outbox } from '../world/webhook-parts.js'
import type { World } from '../world/world.js'
import type { Turns } from './turns.js'

/** Prefixes of secrets between the platform and a browser: of sessions, and of forms. */
const ofBrowsers = ['ses_', '']

/** Returns the world with the parts that rules make ids, tokens, lists, events and id_tokens with. */
export function freeWorld(turns: Turns, event: Forms['event'], deliver: Outbox['deliver']): World {
  const { world, context } = turns.about
  const textMade = (act: 'id' | 'secret') =>
    turns.acting(act).map(({ run, turn }) => (prefix = '') => {
      turn.take()
      const { alphabet, size, end = '' } = run(turn)
      return world.random.unused(() => prefix + world.random.text(alphabet, size - end.length) + end)
    })[0]
  const id = textMade('id')
  const secret = textMade('secret')
  const random: World['random'] = Object.create(world.random, {
    ...(id && { id: { value: id }, eventId: { value: () => world.random.eventId(id) } }),
    ...(secret && {
      secret: { value: (prefix: string) => (ofBrowsers.includes(prefix) ? world.random.secret(prefix) : secret()) },
    }),
  })
  const [named] = turns.acting('kid')
  const wireKid: World['keys']['wireKid'] = (id) => {
    const kid = world.keys.wireKid(id, named?.run(id, named.turn))
    if (kid !== id) named?.turn.take()
    return kid
  }
  const forms: Forms = {
    event,
    idToken: (draft) => turns.changed('idToken', draft),
    endsEmpty: () => turns.acting('endsEmpty').some(({ run, turn }) => run(turn)),
  }
  // Control calls show and use the setting itself.
  const sizes = context?.surface.name === 'api' ? turns.acting('pageSize') : []
  const page_size = sizes.reduce((largest, { run, turn }) => run(largest, turn), world.settings.page_size)
  return Object.create(world, {
    random: { value: random },
    forms: { value: forms },
    keys: { value: Object.create(world.keys, { wireKid: { value: wireKid } }) },
    outbox: { value: Object.create(world.outbox, { deliver: { value: deliver } }) },
    settings: { value: { ...world.settings, page_size } },
  })
}
