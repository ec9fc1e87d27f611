import { lazyFile, useLazy } from '@portal/ui/lazy'
import type { ReactNode } from 'react'

/** What frames isolated modules. The gateway names its files in pages that begin with one. */
const lazyFrames = lazyFile(() => import(/* webpackChunkName: "frames" */ './isolated/frames.tsx'))

type Props = {
  draw: (frames: typeof import('./isolated/frames.tsx')) => ReactNode
  /** What stands in its place until it has arrived. */
  otherwise?: ReactNode
}

/** A frame of an isolated module. */
export function LazyFrame({ draw, otherwise = null }: Props) {
  const frames = useLazy(lazyFrames)
  return frames ? draw(frames) : otherwise
}
