package dev.mooring.explain;

/**
 * Event about the object, of any reporter.
 *
 * @param reason "" for none
 * @param note text as written; "" for none
 * @param lastSeen last occurrence in seconds since the epoch; 0 if unknown
 */
public record ReportedEvent(String reason, String note, boolean isWarning, long lastSeen) {}
