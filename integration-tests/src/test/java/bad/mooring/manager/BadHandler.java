package bad.mooring.manager;

/** R12: an event handler named like a watch. */
final class BadHandler {
  void watchVolume(Change change) {}

  record Change() {}
}
