import type { Forms } from '../world/forms.js'
import type { World } from '../world/world.js'
import type { TextForm, Turn } from './liberty.js'
import type { Subject } from './subject.js'

/**
 * Returns the world with the parts that rules make ids, tokens, lists, events and id_tokens with.
 * @param event writes the body of an event.
 */
export function freeWorld(subject: Subject, event: Forms['event']): World {
  const { world } = subject.about
  const [id] = subject.acting('id')
  const [secret] = subject.acting('secret')
  const made = ({ run, turn }: { run: (turn: Turn) => TextForm; turn: Turn }) => {
    turn.take()
    const { alphabet, size } = run(turn)
    return world.random.text(alphabet, size)
  }
  const random: World['random'] = Object.create(world.random, {
    ...(id && { id: { value: () => made(id) }, eventId: { value: () => made(id) } }),
    ...(secret && {
      // Sessions and forms are between the platform and a browser.
      secret: { value: (prefix: string) => (/^(ses_)?$/.test(prefix) ? world.random.secret(prefix) : made(secret)) },
    }),
  })
  const forms: Forms = {
    event,
    idToken(draft) {
      const free = { header: { ...draft.header }, claims: { ...draft.claims } }
      for (const { run, turn } of subject.acting('idToken')) run(free, turn)
      return free
    },
  }
  const deliver = subject.changed('deliver', world.outbox.deliver)
  return Object.create(world, {
    random: { value: random },
    forms: { value: forms },
    outbox: { value: Object.create(world.outbox, { deliver: { value: deliver } }) },
    settings: { value: subject.changed('settings', world.settings) },
  })
}
