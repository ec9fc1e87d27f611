import { formatNumber } from '@portal/i18n/format'

/** A percentage with the decimals it needs: `2`, `2.5`. */
export const percentText = (percent: number): string => formatNumber(percent, 2).replace(/[.,]?0+$/, '')
