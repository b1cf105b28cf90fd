import {
  type Pharmacy,
  pharmacies,
  type PharmacySystem,
  pharmacySystems,
  systemOf,
} from '../../domain/pharmacies.js';
import type { ServiceConfig } from '../../platform/config.js';
import type { PharmacyAdapter, PharmacySystemDefinition } from './adapter.js';
import { pharmacyA } from './pharmacy-a/adapter.js';
import { pharmacyB } from './pharmacy-b/adapter.js';

export const systems: Readonly<Record<PharmacySystem, PharmacySystemDefinition>> = {
  pharmacy_a: pharmacyA,
  pharmacy_b: pharmacyB,
};

/** All pharmacies; some share a system. */
export type Pharmacies = Readonly<Record<Pharmacy, PharmacyAdapter>>;

export function createPharmacies(settings: ServiceConfig<'router'>): Pharmacies {
  const created = Object.fromEntries(
    pharmacySystems.map((system) => [system, systems[system].create(settings)]),
  ) as Record<PharmacySystem, PharmacyAdapter>;
  return Object.fromEntries(pharmacies.map((pharmacy) => [pharmacy, created[systemOf(pharmacy)]])) as Record<
    Pharmacy,
    PharmacyAdapter
  >;
}
