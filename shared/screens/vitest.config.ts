import { vitestLingui } from '@portal/i18n/vitest-lingui'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [vitestLingui()],
  test: { name: 'screens', environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
})
