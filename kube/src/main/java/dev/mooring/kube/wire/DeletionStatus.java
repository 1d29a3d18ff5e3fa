package dev.mooring.kube.wire;

import dev.mooring.wire.MessageFields;
import dev.mooring.wire.WireReader;
import java.io.IOException;

/**
 * Subject of a response to a deletion.
 *
 * @param name metadata.name; "" if absent
 * @param uid metadata.uid; "" if absent
 * @param isSuccess whether the response confirms the deletion
 */
public record DeletionStatus(String name, String uid, boolean isSuccess) {
  private static final class StatusDraft {
    static final MessageFields<StatusDraft> DETAILS =
        MessageFields.of(StatusDraft::new)
            .with(1, "name", (d, in) -> d.name = in.readText())
            .with(6, "uid", (d, in) -> d.uid = in.readText());

    static final MessageFields<StatusDraft> MESSAGE =
        MessageFields.of(StatusDraft::new)
            .with(2, "status", (d, in) -> d.outcome = in.readText())
            .with(5, "details", DETAILS::readInto);

    String outcome = "";
    String name = "";
    String uid = "";
  }

  static DeletionStatus decode(WireReader in) throws IOException {
    StatusDraft draft = StatusDraft.MESSAGE.readOpen(in);
    return new DeletionStatus(draft.name, draft.uid, draft.outcome.equals("Success"));
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
