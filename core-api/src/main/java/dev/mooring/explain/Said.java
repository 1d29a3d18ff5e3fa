package dev.mooring.explain;

/**
 * What somebody said of the object in an event.
 *
 * @param reason the event's reason; "" for none
 * @param note what it says, as it was written; "" for nothing
 * @param isWarning whether it is a warning
 * @param when when it was said last, in seconds since the epoch; 0 if that is not known
 */
public record Said(String reason, String note, boolean isWarning, long when) {}
