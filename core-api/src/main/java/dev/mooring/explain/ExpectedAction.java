package dev.mooring.explain;

import java.util.Locale;

/**
 * Next step for an object, of any actor. Tests compare a controller's writes with the announced
 * action.
 */
public enum ExpectedAction {
  /** No step until a person changes something. */
  NONE,
  ATTACH,
  DETACH,
  FORCE_DETACH,
  UNMOUNT,
  REGISTER,
  BIND,
  UNBIND,
  SET_CLASS,
  SET_PHASE,
  SET_FREE,
  /** Handover of a claim to an external provisioner or resizer. */
  HAND_OVER,
  MARK,
  RESELECT,
  MARK_LOST,
  PROVISION,
  GROW,
  GROW_FILE_SYSTEM,
  ASK_NODE,
  MODIFY,
  RELEASE,
  DELETE,
  RECYCLE,
  ADD_FINALIZER,
  CREATE_CLAIM,
  /** Binding once the claim's volume is free again. */
  AWAIT_VOLUME,
  SCHEDULE,
  SCHEDULE_ELSEWHERE;

  public String token() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
