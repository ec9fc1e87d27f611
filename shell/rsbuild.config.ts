import { shellConfig } from '@portal/build/rsbuild'

export default shellConfig(import.meta.dirname)
