import type { ItemKind, Items, PortalModule } from '@portal/sdk'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import type { ComponentType, ReactNode } from 'react'
import { addCatalogs } from '../language.ts'
import type { FoundTab } from './announced.ts'
import type { BuildRef, Failed } from './builds.ts'
import type { Failure } from './failures.ts'
import type { FrameFault } from './isolated/protocol.ts'
import type { Entry } from './registry.ts'

type None = Record<never, never>
type Frame = { fault: FrameFault; reference: string; entry: Entry; of: BuildRef; onReload: () => void }

/** What each state is drawn from. */
export type StateProps = {
  CardFailure: { entry: Entry; failed: Failed; onRetry: () => void }
  DeniedPage: None
  FrameFailure: Frame
  ModuleCrash: { entry: Entry; of: BuildRef; reference: string; pathname: string; onRetry: () => void }
  ModuleFailure: { entry: Entry; failed: Failed; pathname: string }
  ModuleTab: { tab: FoundTab; item: Items[ItemKind] }
  NotFoundPage: None
  OverrideNotice: { entry: Entry }
  PageCrash: { onRetry: () => void }
  PartFailure: Frame
  PreviousNotice: { entry: Entry; of: BuildRef; pathname: string }
  StaleNotice: None
  StartFailure: None
  Whose: { entry: Entry; of: BuildRef; reference?: string }
}

/** The states, and what is needed only beside them. */
export type States = { [Name in keyof StateProps]: ComponentType<StateProps[Name]> } & {
  judge(fault: unknown, files: readonly string[], unreachable: Failure): Promise<Failure>
  refusalIfNotNamed(of: BuildRef, method: string, path: string): Promise<string | null>
}

let importStates: () => Promise<States>
/** The program of a page says where its states come from. They draw with all of this folder, so that nothing in it may import them. */
export const statesFrom = (from: typeof importStates): void => {
  importStates = from
}

/** The words of the states, which come with them. */
const words: PortalModule['messages'] = {
  en: () => [import(/* webpackChunkName: "lazy-en", webpackPrefetch: true */ './states/locales/en.ts')],
  fr: () => [import(/* webpackChunkName: "lazy-fr", webpackPrefetch: true */ './states/locales/fr.ts')],
}

/** The failure states. Prefetched while the connection works, because they are needed when it does not. */
export const lazyStates = lazyFile(async () => {
  const [states] = await Promise.all([importStates(), addCatalogs(words)])
  return states
})

/** Prefetches the states once the first page is shown. */
export function prefetchStates(): void {
  const whenIdle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000))
  const prefetch = () => setTimeout(() => whenIdle(lazyStates.prefetch), 1500)
  if (document.readyState === 'complete') prefetch()
  else window.addEventListener('load', prefetch)
}

type Props = {
  draw: (states: States) => ReactNode
  /** What stands in its place until it has arrived. */
  otherwise?: ReactNode
}

/** A failure state. */
export function LazyState({ draw, otherwise = null }: Props) {
  const states = useLazy(lazyStates)
  return states ? draw(states) : otherwise
}
