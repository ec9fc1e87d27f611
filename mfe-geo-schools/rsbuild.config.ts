import { moduleConfig } from '@portal/build/rsbuild'

export default moduleConfig(import.meta.dirname)
