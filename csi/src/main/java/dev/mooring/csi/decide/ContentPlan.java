package dev.mooring.csi.decide;

/** Next step for the content of a snapshot or of a group snapshot. */
public sealed interface ContentPlan {
  record NoAction() implements ContentPlan {}

  record Create() implements ContentPlan {}

  record Query(DataHandle handle) implements ContentPlan {}

  record Delete(DataHandle handle) implements ContentPlan {}

  record RemoveFinalizer() implements ContentPlan {}

  record ClearCreationMark() implements ContentPlan {}
}
