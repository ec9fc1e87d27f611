import { decide } from '../../src/transfers/engine/payment-decision.ts'
import type { Command, Event, State } from '../../src/transfers/engine/payment-state.ts'
import type { Mood } from './agency.ts'
import type { Fault, Schedule } from './schedule.ts'
import type { Guards } from './tables.ts'
import type { Rules } from './worker.ts'

/** A planted bug: changed decisions of the worker, or a removed guard of the database. */
export type Bug = {
  title: string
  rules?: Partial<Rules>
  taken?: Partial<Guards>
  /** A schedule that shows the bug, if random schedules rarely do. */
  example?: Schedule
}

type Decided = ReturnType<typeof decide>
const deciding = (change: (decided: Decided, state: State, event: Event) => Decided): Partial<Rules> => ({
  decide: (state, event) => change(decide(state, event), state, event),
})
const without = (drops: (command: Command) => boolean): Partial<Rules> =>
  deciding(({ state, commands }) => ({ state, commands: commands.filter((command) => !drops(command)) }))
const believed: Rules['check'] = (_order, outcome) => ({ outcome, mismatch: null })

const shown = (seed: number, ...faults: Fault[]): Schedule => ({ seed, sizes: [1, 1, 1, 1], faults })
const mood = (after: number, agency: number, mood: Mood): Fault => ({ after, kind: 'mood', agency, mood })
const restore = (after: number, workersLive: boolean): Fault => ({ after, kind: 'restore', workersLive })
/** An absence longer than the lifetime of a key and too short for a hold. */
const away = (after: number): Fault => ({ after, kind: 'absence', ms: 90_000 })
/** A payment is refused, and retried after the backup. */
const madeAgain: Fault[] = [
  { after: 0, kind: 'odd recipient', cohort: 3, student: 1, how: 'wrong' },
  { after: 3_000, kind: 'backup' },
  { after: 0, kind: 'retry', cohort: 3, corrected: true },
]
const lateOrder = shown(0, mood(0, 1, 'slow'), restore(37, false), away(500))

/** Bugs by which money would be paid twice, lost or left waiting. Some were found by earlier versions of the simulation. */
export const bugs: Bug[] = [
  {
    title: 'keys are random, so a restored copy makes others',
    taken: { keysAreDerived: false, holdWaitsForTheLine: false },
    example: lateOrder,
  },
  { title: 'sending goes on after a restore', taken: { holdAfterDiscontinuity: false } },
  {
    title: 'a hold is released before anything was asked',
    taken: { holdAsksByReference: false },
    example: shown(0, mood(38, 1, 'down'), restore(0, true), away(980)),
  },
  {
    title: 'what an agency holds by reference is sent again',
    taken: { heldReferencesAreNotSent: false },
    example: shown(0, mood(0, 1, 'forgets'), away(29), restore(0, false), {
      after: 8_500,
      kind: 'kill',
      worker: 0,
    }),
  },
  {
    title: 'what an agency holds and has not settled may be sent again',
    taken: { heldIsNotRepeatable: false },
    example: shown(0, mood(0, 1, 'other_amount'), restore(25, true), away(4)),
  },
  { title: 'a worker uses one name for all of its leases', taken: { ownerIsNewEachTime: false } },
  {
    title: 'whoever was paying goes on after a restore',
    taken: { holdEndsLeases: false, copyIsCompared: false },
    example: {
      seed: 0,
      sizes: [4, 2, 1, 1],
      faults: [
        mood(42, 1, 'loses_replies'),
        { after: 298, kind: 'backup' },
        restore(195, true),
        restore(193, true),
      ],
    },
  },
  {
    title: 'a hold asks while orders are still on the line',
    taken: { holdWaitsForTheLine: false },
    example: lateOrder,
  },
  { title: 'asking under a hold makes a second attempt', taken: { holdUpdatesOpenAttempt: false } },
  { title: '"not found" sends again however old the key is', taken: { keysExpire: false } },
  {
    title: 'agencies that are in trouble keep the workers from another one',
    rules: { agenciesAtOnce: 1 },
    example: shown(
      1,
      mood(0, 1, 'down'),
      mood(0, 2, 'down'),
      mood(9_402, 1, 'down'),
      mood(10, 2, 'down'),
      mood(4, 1, 'down'),
    ),
  },
  {
    title: 'a refusal of a repeated order is believed at once',
    rules: deciding((decided, _state, event) => ({
      ...decided,
      commands: decided.commands.map((command) =>
        event.kind === 'answered' && event.outcome.kind === 'failed' && command.do === 'write'
          ? { ...command, outcome: event.outcome }
          : command,
      ),
    })),
  },
  { title: 'answers are believed unread', rules: { check: believed } },
  { title: 'one transaction counts for many payments', taken: { oneTransactionOnce: false } },
  {
    title: 'one answer that nobody can read ends the round of all',
    rules: {
      check: believed,
      decide: (state, event) => {
        const isUnreadable =
          'outcome' in event && event.outcome.kind === 'success' && event.outcome.agency_fees === 105.5
        return isUnreadable ? { state: { ...state, phase: 'lost' }, commands: [] } : decide(state, event)
      },
    },
  },
  { title: 'a round with unknown payments counts as executed', taken: { unknownBlocksNextRound: false } },
  {
    title: 'one recipient without funds halts the cohort at once',
    example: {
      seed: 0,
      sizes: [4, 1, 1, 2],
      faults: [{ after: 0, kind: 'odd recipient', cohort: 1, student: 1, how: 'refused' }],
    },
    rules: deciding((decided, state, event) => {
      const isRefused =
        event.kind === 'answered' && event.outcome.kind === 'unusable' && event.outcome.reason === 'funds'
      if (!isRefused || state.phase !== 'working') return decided
      const round = state.rounds.find(({ group_id }) => group_id === event.payment.group_id)
      const write = { do: 'write', payment: event.payment, outcome: event.outcome, mismatch: null } as const
      const stop = { do: 'halt', cohort_id: round?.cohort_id ?? 0, reason: 'funds' } as const
      return {
        state: { ...decided.state, trials: state.trials },
        commands: [...decided.commands, write, stop],
      }
    }),
  },
  {
    title: 'a trial for funds waits for ever for another payment of its round',
    rules: without((command) => command.do === 'claim' && command.limit === 1),
  },
  { title: 'rounds are paid after a long absence, and nobody is asked', taken: { absenceHolds: false } },
  { title: 'slots are counted per round', rules: { slots: 12 } },
  { title: 'a worker sends after the end of its lease', rules: { marginMs: -3_600_000 } },
  {
    title: 'a promoted standby hands out the same fence and attempt numbers again',
    taken: { ownerIsNewEachTime: false, ownerIsChecked: false, settledByKey: false },
  },
  {
    title: 'a late answer is written into a copy that nobody has compared',
    taken: { copyIsCompared: false },
    example: {
      seed: 0,
      sizes: [1, 1, 1, 1],
      faults: [{ after: 32, kind: 'backup' }, mood(7, 1, 'repeated_id'), restore(74, true)],
    },
  },
  {
    title: 'the address of an agency is changed while outcomes there are unknown',
    taken: { addressWaits: false, lineIsRecorded: false },
  },
  { title: 'the author of a correction approves it', taken: { authorMayNotApprove: false } },
  {
    title: 'an approved list is changed before its next round',
    taken: { listIsFrozen: false },
    example: shown(
      0,
      { after: 325, kind: 'backup' },
      mood(24, 1, 'error_unpaid'),
      restore(5_828, false),
      { after: 0, kind: 'freeze', worker: 0, ms: 500 },
      { after: 0, kind: 'kill', worker: 0 },
      { after: 0, kind: 'list changed', cohort: 1, person: 2 },
    ),
  },
  { title: 'the amount that an agency tells becomes the amount', taken: { amountIsKept: false } },
  {
    title: 'a cohort is halted for what was found while sending is held',
    taken: { haltIsFenced: false },
    example: shown(
      0,
      mood(30, 1, 'loses_replies'),
      { after: 9_999, kind: 'freeze', worker: 1, ms: 6_000 },
      { after: 0, kind: 'failover', lag: 0 },
    ),
  },
  {
    title: 'what only the lost database had made is not asked about first',
    taken: { madeLaterIsAskedFirst: false, keysAreDerived: false },
  },
  { title: 'anybody may write', taken: { fenceIsChecked: false, ownerIsChecked: false } },
  { title: 'what a dead worker had in hand counts as never sent', taken: { adoptedIsUnknown: false } },
  { title: 'an entry may have two open attempts', taken: { oneOpenAttempt: false, adoptedIsUnknown: false } },
  {
    title: 'an order without an answer counts as failed',
    rules: deciding(({ state, commands }) => ({
      state,
      commands: commands.map((command) =>
        command.do === 'write' && command.outcome.kind === 'unknown'
          ? { ...command, outcome: { kind: 'failed', reason: 'no_answer', external_trx_id: null, echo: {} } }
          : command,
      ),
    })),
  },
  {
    title: 'an order whose outcome is unknown is made again',
    taken: { onlyFailedIsRetried: false },
    example: shown(0, mood(0, 3, 'error_paid'), { after: 150, kind: 'retry', cohort: 4, corrected: false }),
  },
  {
    title: 'a hold asks nothing about payments that had failed',
    taken: { holdAsksAboutFailed: false },
    example: shown(0, ...madeAgain, restore(3_000, true)),
  },
  {
    title: 'what an agency showed as paid is made again',
    taken: { doubtfulIsNotRetried: false, heldReferencesAreNotSent: false },
    example: shown(
      0,
      ...madeAgain,
      mood(3_000, 2, 'forgets'),
      restore(0, true),
      mood(20_000, 2, 'honest'),
      away(0),
      { after: 2_000, kind: 'retry', cohort: 3, corrected: true },
    ),
  },
  { title: 'answers are not written down', rules: without((command) => command.do === 'write') },
]
