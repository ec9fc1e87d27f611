import { standaloneConfig } from '@portal/build/rsbuild'

export default standaloneConfig(import.meta.dirname)
