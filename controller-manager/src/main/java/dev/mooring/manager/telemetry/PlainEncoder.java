package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.mooring.text.PlainText;
import java.nio.charset.StandardCharsets;

final class PlainEncoder extends EncoderBase<ILoggingEvent> {
  private final Encoder<ILoggingEvent> encoder;

  PlainEncoder(Encoder<ILoggingEvent> encoder) {
    this.encoder = encoder;
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return PlainText.filter(new String(encoder.encode(event), StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }
}
