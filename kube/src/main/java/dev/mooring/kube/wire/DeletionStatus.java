package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import java.io.IOException;

/**
 * Subject of a response to a deletion.
 *
 * @param name metadata.name; "" if absent
 * @param uid metadata.uid; "" if absent
 * @param isSuccess whether the response confirms the deletion
 */
public record DeletionStatus(String name, String uid, boolean isSuccess) {
  private static final class StatusFields {
    static final int STATUS = 2;
    static final int DETAILS = 5;
    static final Fields ALL = Fields.of(STATUS, "status").and(DETAILS, "details");
  }

  private static final class Details {
    static final int NAME = 1;
    static final int UID = 6;
    static final Fields ALL = Fields.of(NAME, "name").and(UID, "uid");
  }

  static DeletionStatus decode(WireReader in) throws IOException {
    String outcome = "";
    String name = "";
    String uid = "";
    for (int field = in.next(StatusFields.ALL); field != 0; field = in.next(StatusFields.ALL)) {
      switch (field) {
        case StatusFields.STATUS -> outcome = in.readText();
        case StatusFields.DETAILS -> {
          for (int f = in.open(Details.ALL); f != 0; f = in.next(Details.ALL)) {
            switch (f) {
              case Details.NAME -> name = in.readText();
              case Details.UID -> uid = in.readText();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new DeletionStatus(name, uid, outcome.equals("Success"));
  }

  void requireSuccess(DeletionStatus expected) throws IOException {
    if (!isSuccess) {
      throw new IOException("the response to a deletion does not confirm success");
    }
    if (isOther(name, expected.name()) || isOther(uid, expected.uid())) {
      throw new IOException(
          "the response to the deletion of \"%s\" (%s) is about \"%s\" (%s)"
              .formatted(expected.name(), expected.uid(), name, uid));
    }
  }

  private static boolean isOther(String actual, String expected) {
    return !actual.isEmpty() && !actual.equals(expected);
  }
}
