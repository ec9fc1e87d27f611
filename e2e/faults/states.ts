import { makeProbe, type Probe, type Variant } from './probe.ts'
import type { Fault, Line } from './proxy.ts'
import type { Installed } from './test.ts'

/** A sentence of the catalogues, with its parts. */
type Sentence = [english: string, parts?: Record<string, string>]

/** One way in which a module cannot be shown, and what a person then reads. */
export type State = Installed & {
  what: string
  /** What the line does to one of its files. */
  fault?: { file: string; does: Fault }
  heading: string
  sentences: Sentence[]
  /** What may be pressed: asking again, the build before. */
  offers: ('again' | 'before')[]
  /** Nothing to be quoted: somebody wanted it so. */
  intended?: true
}

const anew = 'Its team has to publish it anew.'
const contract = `It needs version {needed} of the contract between portal and modules, and this portal has {contractVersion}. ${anew}`
const safe: Sentence = ['The rest of the portal works. What you typed on other pages is kept.']
const tell: Sentence = ['Tell the team named below.']

const faultyName = (what: string) => `mfe-${what.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`

/** Two builds of a module of its own, of which the newer has what is wrong. */
function builds(what: string, variant: Variant = 'sound', code = '1.0.0'): { probe: Probe; before: Probe } {
  const name = faultyName(what)
  const title = { en: `Probe, ${what}`, fr: `Sonde, ${what}` }
  const probe = makeProbe({ name, title, variant, contract: code, more: { contract: '^1.0.0' } })
  return { probe, before: makeProbe({ name, title, version: '0.9.0', mark: 'the build before' }) }
}

type Details = Omit<State, 'what' | 'probe' | 'before'>
const state = (what: string, variant: Variant, details: Details): State => ({
  what,
  ...builds(what, variant),
  ...details,
})

/** Every state of Modules 3.1 that stays; slow, stale and previous pass, and have journeys of their own. */
export const statesOf = (contractVersion: string): State[] => [
  state('out of reach', 'sound', {
    fault: { file: 'entry.js', does: 'missing' },
    heading: 'The module {name} did not load',
    sentences: [['Check the connection, then try again.'], safe],
    offers: ['again', 'before'],
  }),
  state('a web page', 'sound', {
    fault: { file: 'list.js', does: 'html' },
    heading: 'The module {name} did not load',
    sentences: [
      [
        'A web page came in place of its code, so it was not run. Perhaps the network asks you to sign in to it first.',
      ],
      safe,
    ],
    offers: ['again', 'before'],
  }),
  state('tampered', 'sound', {
    fault: { file: 'entry.js', does: 'tamper' },
    heading: 'The module {name} was not opened',
    sentences: [
      ['A file of it is not the one that was published, so none of it was run. Tell the team named below.'],
    ],
    offers: ['before'],
  }),
  state('throwing at load', 'throws-at-load', {
    heading: 'The module {name} stopped while it was starting',
    sentences: [['A fault in its own code keeps it from opening. Tell the team named below.'], safe],
    offers: ['again', 'before'],
  }),
  state('throwing when drawn', 'throws-in-render', {
    heading: 'This page of the module {name} has stopped',
    sentences: [['A fault in it keeps it from being shown. The rest of the portal works.']],
    offers: ['again', 'before'],
  }),
  state('newer contract', 'sound', {
    entry: { contract: '^2.0.0' },
    heading: 'The module {name} does not fit this portal',
    sentences: [[contract, { needed: '^2.0.0', contractVersion }]],
    offers: ['before'],
  }),
  {
    what: 'contract in code',
    ...builds('contract in code', 'sound', '2.0.0'),
    heading: 'The module {name} does not fit this portal',
    sentences: [[contract, { needed: '^2.0.0', contractVersion }]],
    offers: ['before'],
  },
  state('another React', 'wrong-react', {
    heading: 'The module {name} does not fit this portal',
    sentences: [
      [
        `It needs version {needed} of {library}, and this portal has {here}. ${anew}`,
        { needed: '^18.2.0', library: 'react', here: '19.3.0' },
      ],
    ],
    offers: ['before'],
  }),
  state('no module', 'nothing', {
    heading: 'The module {name} cannot be opened',
    sentences: [[`It does not offer what a module has to offer. ${anew}`]],
    offers: ['before'],
  }),
  state('unsigned', 'sound', {
    entry: { withheld: 'unsigned' },
    heading: 'The module {name} was not opened',
    sentences: [['Nobody has signed this version, so the portal does not run it.'], tell],
    offers: [],
  }),
  state('foreign key', 'sound', {
    entry: { withheld: 'signature' },
    heading: 'The module {name} was not opened',
    sentences: [
      ['It was signed with a key that may not publish this module, so the portal does not run it.'],
      tell,
    ],
    offers: [],
  }),
  state('revoked', 'sound', {
    entry: { withheld: 'revoked' },
    heading: 'The module {name} was not opened',
    sentences: [
      ['This version was withdrawn by those who publish it, so the portal no longer runs it.'],
      tell,
    ],
    offers: [],
  }),
  state('damaged record', 'sound', {
    entry: { withheld: 'broken' },
    heading: 'The module {name} was not opened',
    sentences: [['Its record in the registry is damaged, so the portal does not run it.'], tell],
    offers: [],
  }),
  state('switched off', 'sound', {
    entry: { disabled: true },
    heading: 'The module {name} is switched off',
    sentences: [['An administrator has switched it off for now. The rest of the portal works.']],
    offers: [],
    intended: true,
  }),
  state('not permitted', 'sound', {
    entry: { permission: 'probe.view', nav: [] },
    heading: 'Access Denied: you may not open this page.',
    sentences: [['An administrator of the portal can give you a role that may.']],
    offers: [],
    intended: true,
  }),
]

/** What the browser itself has to say of these faults. */
export const complaints = [
  /Failed to load resource/,
  /Failed to find a valid digest/,
  /MIME type/,
  /[Tt]he probe throws/,
  /The above error occurred|Unsatisfied version/,
]

/** Puts modules with these faults on the line, all at once. */
export function breakAll(line: Line, states: State[]): void {
  for (const { probe, fault } of states)
    if (fault) line.break(new RegExp(`^${probe.record.base}${fault.file.replace('.', '\\.')}$`), fault.does)
}
