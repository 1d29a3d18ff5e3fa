package dev.mooring.kube.wire;

import dev.mooring.kube.wire.BodyDecoder.Status;
import dev.mooring.wire.MessageFields;
import dev.mooring.wire.WireReader;
import java.io.IOException;

final class StatusDecoder {
  private static final class StatusDraft {
    static final MessageFields<StatusDraft> CAUSE =
        MessageFields.of(StatusDraft::new)
            .with(
                3,
                "field",
                (d, in) -> {
                  String field = in.readText();
                  d.firstField = d.firstField.isEmpty() ? field : d.firstField;
                });

    static final MessageFields<StatusDraft> DETAILS =
        MessageFields.of(StatusDraft::new)
            .with(4, "causes", CAUSE::readInto)
            .with(5, "retryAfterSeconds", (d, in) -> d.retrySeconds = (int) in.readNumber());

    static final MessageFields<StatusDraft> MESSAGE =
        MessageFields.of(StatusDraft::new)
            .with(3, "message", (d, in) -> d.message = in.readText())
            .with(4, "reason", (d, in) -> d.reason = in.readText())
            .with(5, "details", DETAILS::readInto)
            .with(6, "code", (d, in) -> d.code = (int) in.readNumber());

    int code;
    String reason = "";
    String message = "";
    int retrySeconds;
    String firstField = "";
  }

  private StatusDecoder() {}

  static Status decode(WireReader in) throws IOException {
    StatusDraft draft = StatusDraft.MESSAGE.readOpen(in);
    return new Status(
        draft.code, draft.reason, draft.message, draft.retrySeconds, draft.firstField);
  }
}
