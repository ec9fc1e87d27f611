// biome-ignore-all lint/performance/noBarrelFile: one chunk is one file that is fetched lazily
/** All failure states in one chunk, which has to be loaded before it is needed, and what is drawn with them. */
export { CardFailure } from './CardFailure.tsx'
export { DeniedPage } from './DeniedPage.tsx'
export { FrameFailure, PartFailure } from './FrameFailure.tsx'
export { judge } from './judge.ts'
export { ModuleCrash, ModuleFailure } from './ModuleFailure.tsx'
export { ModuleTab } from './ModuleTab.tsx'
export { NotFoundPage } from './NotFoundPage.tsx'
export { OverrideNotice, PreviousNotice, StaleNotice } from './notices.tsx'
export { PageCrash } from './PageCrash.tsx'
export { refusalIfNotNamed } from './refusal-if-not-named.ts'
export { StartFailure } from './StartFailure.tsx'
export { Whose } from './Whose.tsx'
