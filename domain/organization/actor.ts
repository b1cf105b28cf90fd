/** The admin who requests a change. */
export interface Actor {
  adminId: string;
  ip: string;
  userAgent: string | null;
}
