package dev.mooring.explain;

import java.util.Locale;

/**
 * Next step for an object, of any actor. Tests compare a controller's writes with the announced
 * action.
 */
public enum Action {
  /** No step until a person changes something. */
  NONE,
  ATTACH,
  DETACH,
  /** Detach from a node that still reports the volume in use. */
  FORCE_DETACH,
  UNMOUNT,
  REGISTER,
  BIND,
  UNBIND,
  /** Assignment of the default class to a claim. */
  SET_CLASS,
  SET_PHASE,
  /** Release of a volume whose claim is bound to another volume. */
  SET_FREE,
  /** Handover of a claim to an external provisioner or resizer. */
  HAND_OVER,
  /** Storage-provisioner annotation on a claim. */
  MARK,
  /** Removal of the selected node. */
  RESELECT,
  MARK_LOST,
  PROVISION,
  GROW,
  GROW_FILE_SYSTEM,
  /** Retry of a node expansion that the node refused. */
  ASK_NODE,
  /** Change to another VolumeAttributesClass. */
  MODIFY,
  RELEASE,
  /** Deletion of the volume in the storage. */
  DELETE,
  RECYCLE,
  ADD_FINALIZER,
  /** Creation of an ephemeral volume's claim. */
  CREATE_CLAIM,
  /** Binding once the claim's volume is free again. */
  AWAIT_VOLUME,
  SCHEDULE,
  SCHEDULE_ELSEWHERE;

  /** Returns the stable token in machine-readable formats: lower case with hyphens. */
  public String token() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
