package dev.mooring.explain;

import java.util.Locale;

/** What is done next, by whomever; what the controller does of it is held against what it says. */
public enum Action {
  /** Nothing, before somebody has changed something. */
  NONE,
  /** A volume is attached to a node. */
  ATTACH,
  /** A volume is detached from a node. */
  DETACH,
  /** A volume is detached from a node that still lists it in use. */
  FORCE_DETACH,
  /** A node unmounts a volume. */
  UNMOUNT,
  /** A driver is made known on a node. */
  REGISTER,
  /** A claim and a volume are bound to each other. */
  BIND,
  /** A volume's claimRef is taken away. */
  UNBIND,
  /** A claim is given a class. */
  SET_CLASS,
  /** A phase is put right. */
  SET_PHASE,
  /** A volume is given to others when its claim has another. */
  SET_FREE,
  /** A claim is handed to whoever makes or grows its volume outside. */
  HAND_OVER,
  /** It is said in a claim which plugin makes its volume. */
  MARK,
  /** The choice of a node is taken back. */
  RESELECT,
  /** A claim is called Lost. */
  MARK_LOST,
  /** A volume is made. */
  PROVISION,
  /** A volume is made larger. */
  GROW,
  /** The file system of a volume is made larger, on a node. */
  GROW_FILE_SYSTEM,
  /** A node that refused to make a file system larger is asked again. */
  ASK_NODE,
  /** A volume is changed to another VolumeAttributesClass. */
  MODIFY,
  /** A finalizer is taken away. */
  RELEASE,
  /** A volume is destroyed. */
  DELETE,
  /** A volume is emptied for others. */
  RECYCLE,
  /** A volume is given a finalizer. */
  ADD_FINALIZER,
  /** The claim of an ephemeral volume is made. */
  CREATE_CLAIM,
  /** A claim is bound when its volume is free again. */
  AWAIT_VOLUME,
  /** A node is chosen for pods. */
  SCHEDULE,
  /** Other nodes are chosen for pods. */
  SCHEDULE_ELSEWHERE;

  /** The stable token of the formats that programs read: the name in lower case, with hyphens. */
  public String token() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
