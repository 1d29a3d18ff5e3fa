package dev.mooring.manager.undo;

/**
 * A volume cannot be restored. The message is one line with the object, the cause and the remedy.
 */
public final class UndoStoppedException extends Exception {
  private static final long serialVersionUID = 1L;

  public UndoStoppedException(String message) {
    super(message);
  }
}
