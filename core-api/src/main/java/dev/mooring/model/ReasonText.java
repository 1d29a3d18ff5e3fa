package dev.mooring.model;

/**
 * Texts of a reason for users.
 *
 * @param meaning meaning of the reason
 * @param remedy remedy; "" if none
 */
public record ReasonText(String meaning, String remedy) {}
