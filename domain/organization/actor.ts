/** The admin who asks for a change, and from where. */
export interface Actor {
  adminId: string;
  ip: string;
  userAgent: string | null;
}
