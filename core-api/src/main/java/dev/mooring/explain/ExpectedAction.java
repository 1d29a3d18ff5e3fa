package dev.mooring.explain;

import java.util.Locale;

/**
 * The next action on an object, by any actor. Tests compare a controller's writes with the
 * announced action.
 */
public enum ExpectedAction {
  /** No action of a program: nothing is left to do, or a person must act. */
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
  CLEAR_CLAIM_REF("set-free"),
  /** Handover of a claim to an external provisioner or resizer. */
  HAND_OVER,
  SET_PROVISIONER("mark"),
  RESELECT,
  MARK_LOST,
  PROVISION,
  GROW,
  GROW_FILE_SYSTEM,
  REQUEST_NODE_EXPANSION("ask-node"),
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

  private final String token;

  ExpectedAction() {
    token = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  ExpectedAction(String token) {
    this.token = token;
  }

  /** Returns the stable name in the output of {@code explain} (docs/explain.md). */
  public String token() {
    return token;
  }
}
