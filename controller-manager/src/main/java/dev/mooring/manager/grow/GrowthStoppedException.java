package dev.mooring.manager.grow;

/** A growth cannot continue. The message is one line with the object, the cause and the remedy. */
public final class GrowthStoppedException extends Exception {
  private static final long serialVersionUID = 1L;

  public GrowthStoppedException(String message) {
    super(message);
  }
}
