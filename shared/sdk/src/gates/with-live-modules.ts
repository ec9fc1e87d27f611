import { eventsLost } from '../own-events.ts'
import { writtenIds } from '../own-words.ts'
import { faultsOfRecords } from '../record-changes.ts'
import { type Candidate, type Finding, fault, fine, some } from './candidate.ts'

/** Records outlive builds. An older build may come back, and sees what it can see of them. */
export function recordsAreRead({ details, own }: Candidate): Finding {
  const before = own.filter(({ newer }) => !newer)
  const faults = before.flatMap((build) => faultsOfRecords(build.collections, details.collections))
  return faults.length
    ? fault(`Records that were saved before could not be read: ${some([...new Set(faults)])}`)
    : fine('Records that were saved before can be read.')
}

/** Whether other modules hear what they heard before. */
export function eventsAreKept({ details, own, others }: Candidate): Finding {
  const [lost] = eventsLost(own, details, others)
  return lost
    ? fault(`${lost.by} hears ${lost.event}, which ${lost.what}: keep it, or settle it with that team first.`)
    : fine('Other modules hear what they heard before.')
}

/**
 * Whether the ids of its messages are its own. An id that is a hash of the English text means the same sentence everywhere. If
 * the French texts differ, the shell keeps them apart. Ids written by hand may collide.
 */
export function messagesAreItsOwn({ details, others }: Candidate): Finding {
  const given = new Set(writtenIds(details.words))
  const other = others.find(({ words }) => writtenIds(words).some((id) => given.has(id)))
  if (!other) return fine('No message id is another module’s.')
  const ids = writtenIds(other.words).filter((id) => given.has(id))
  return fault(`The message ids ${some(ids)} are ${other.name}'s: begin yours with ${details.name}.`)
}

/** Whether the global of a remote is nobody else's. */
export function remoteIsItsOwn({ details: { remote }, others }: Candidate): Finding {
  const other = remote && others.find((each) => each.remote?.name === remote.name)
  return other
    ? fault(
        `${remote.name} is the global of ${other.name} too: give the remote another name and build it again.`,
      )
    : fine(remote ? `Its global ${remote.name} is nobody else's.` : 'Built with the portal’s own packages.')
}
