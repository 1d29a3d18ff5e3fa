package dev.mooring.model;

/**
 * A reason in words, for people.
 *
 * @param meaning what it means
 * @param remedy what can be done; "" for nothing
 */
public record Wording(String meaning, String remedy) {}
