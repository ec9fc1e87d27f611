/** A kind of data that is deleted when its time is over. */
export type Kept = {
  /** What is deleted, as docs/data-protection.md says it. */
  what: string
  /** Days after which it is deleted, unless PORTAL_KEEP_DAYS names others. */
  days: number
  /** The portal works only with at least so many. */
  least: number
  why: string
}

/**
 * How long data are kept that are neither money nor the audit log: the nightly job deletes what is older. Registers,
 * payments, cases and the audit log have no end here.
 */
export const kept = {
  sessions: {
    what: 'Sessions and links for passwords, with address and browser',
    days: 90,
    least: 31,
    why: 'A person sees where she was signed in; 30 days tell a known address from a strange one.',
  },
  letters: {
    what: 'Sent and failed letters, and those of the outbox',
    days: 90,
    least: 7,
    why: 'A person who got no letter can be told whether it left.',
  },
  notices: {
    what: 'Notices of the bell and mails of the day',
    days: 180,
    least: 30,
    why: 'What somebody had to do is done or seen by then.',
  },
  messages: {
    what: 'Content of processed messages of devices',
    days: 180,
    least: 30,
    why: 'A figure of attendance can be traced to its message in the same school year. That a message came stays, so that it counts once.',
  },
  'import-rows': {
    what: 'Staged rows of ended imports, with their errors',
    days: 90,
    least: 7,
    why: 'Rejected rows are corrected and sent again. Changed values stay as the history of the register.',
  },
  'import-files': {
    what: 'Content of uploaded workbooks',
    days: 365,
    least: 30,
    why: 'A list can be compared with the file that was approved, in the year of its payments. Name, size and hash stay.',
  },
  statements: {
    what: 'Numbers and names in lines of closed statements, the content of their files, of files for banks and of documents that settled payments',
    days: 1825,
    least: 365,
    why: 'A difference with an agency can be looked at again within five years. Amounts, days, references and sums stay.',
  },
  names: {
    what: 'Answers of agencies about the names of holders',
    days: 180,
    least: 30,
    why: 'A list is approved and paid with the answers of its weeks. An older answer says little about a number.',
  },
  'case-documents': {
    what: 'Content of documents of decided cases',
    days: 1825,
    least: 365,
    why: 'A decision can be looked at again within five years. The text of the case stays.',
  },
  pictures: {
    what: 'Pictures that were sent for a record of a module and are in none',
    days: 1,
    least: 1,
    why: 'A form that lost its line is saved the same day. Those of a record go with it, or with the picture that replaces them.',
  },
  deletions: {
    what: 'Numbers of deleted records of modules',
    days: 90,
    least: 7,
    why: 'A server with a copy learns what it has to delete. One that asks later reads all records anew.',
  },
  'person-exports': {
    what: 'Folders written by npm run person:export',
    days: 30,
    least: 1,
    why: 'They are handed over and not needed here.',
  },
  orphans: {
    what: 'Stored files that nothing refers to',
    days: 30,
    least: 7,
    why: 'They are left by a crash between a file and its row. If a restored database is older than the files, a later one may still name them.',
  },
  logs: {
    what: 'Logs of processes that were put aside when they were full',
    days: 90,
    least: 7,
    why: 'A fault is looked for in the weeks after it. They hold addresses of visitors and numbers of people, and no values.',
  },
} satisfies Record<string, Kept>
/** The kinds of data that are deleted after some days. */
export type KeptKind = keyof typeof kept

/** What is deleted sooner, by jobs of its own; the days are no setting. */
export const keptBriefly = [
  {
    what: 'Exports with their files',
    end: '24 hours',
    why: 'A file is fetched on the day it was asked for.',
  },
  {
    what: 'Drafts of forms',
    end: 'with the session',
    why: 'What is typed is for the person at this computer only.',
  },
  { what: 'Failed sign-ins and codes, as hashes', end: '1 day', why: 'They slow down whoever guesses.' },
  { what: 'Marks that the same was read before', end: '1 hour', why: 'The audit log gets one entry for it.' },
  { what: 'Reports of loaded and failed modules', end: '30 days', why: 'A fault is found by its number.' },
  {
    what: 'Steps of administrators in the registry of modules, with address and browser',
    end: '1 day',
    why: 'A step whose process died gets its entry in the audit log.',
  },
  { what: 'Files of calls that were not finished', end: '1 day', why: 'Nothing refers to them.' },
] as const

/** Days by kind: those of the table, or those of the setting. */
export type KeepDays = Record<KeptKind, number>

const kinds = Object.keys(kept) as KeptKind[]

/** Reads PORTAL_KEEP_DAYS, such as `letters=30,messages=90`. Returns the days, or a sentence about what is wrong. */
export function readKeepDays(text: string): KeepDays | string {
  const days = Object.fromEntries(kinds.map((kind) => [kind, kept[kind].days])) as KeepDays
  for (const part of text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [, name, number] = /^([a-z-]+)=(\d{1,5})$/.exec(part) ?? []
    const kind = kinds.find((each) => each === name)
    if (!kind) return `names ${part}: write KIND=DAYS with one of ${kinds.join(', ')}`
    if (Number(number) < kept[kind].least)
      return `names ${part}: ${kind} are kept for ${kept[kind].least} days at least`
    days[kind] = Number(number)
  }
  return days
}
