package bad.mooring.manager.plugin;

import java.util.List;

/** R12: has words of our own in names of each sort, and others that look like them. */
final class BadWords {
  static final int BRAKES = 4;

  long nextGlance;
  int controlPlane;
  List<String> arrivals = List.of();
  Handlers verbs = new Handlers();
  List<String> units = List.of();

  FieldErrors causes() {
    return new FieldErrors();
  }

  void takeBack() {}

  /** R12: says that it watches what it is told of. */
  void watchVolume(Change change) {}

  record Told(String what) {}

  record Handlers() {}

  record FieldErrors() {}

  record Change() {}
}
