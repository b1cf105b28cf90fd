/** The pharmacies by the names they have on the wire (page 1, Routing configuration). */
export const pharmacies = ['pharmacy_a', 'pharmacy_b', 'pharmacy_c'] as const;
export type Pharmacy = (typeof pharmacies)[number];
