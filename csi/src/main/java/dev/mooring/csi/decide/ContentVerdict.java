package dev.mooring.csi.decide;

import java.util.Set;

/** Verdict, from live reads, about the deletion of a driver's snapshot or group snapshot. */
public sealed interface ContentVerdict {
  // users: names of the objects that were judged; others may use the data
  record Confirmed(ContentView content, Set<String> users) implements ContentVerdict {}

  // Deletion is obsolete: another object has the name, or the next step differs.
  record Changed() implements ContentVerdict {}

  record Gone() implements ContentVerdict {}

  record InUse(String user) implements ContentVerdict {}

  // The API server did not answer; deletion must wait.
  record Unknown(String reason) implements ContentVerdict {}
}
