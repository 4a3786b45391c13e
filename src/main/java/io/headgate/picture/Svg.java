package io.headgate.picture;

import io.headgate.wire.CappedBuffer;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes one SVG document, element by element, into a capped buffer. Text is escaped by the JDK's
 * XML writer; what XML can't carry must have become something else before ({@link Labels}). No
 * style, no script, no reference leaves it. Not thread-safe.
 */
final class Svg {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";

  /** The JDK's own, whatever else the class path offers: its bytes are the same everywhere. */
  private static final XMLOutputFactory WRITERS = XMLOutputFactory.newDefaultFactory();

  private final CappedBuffer out;
  private final XMLStreamWriter writer;

  /**
   * Begins a document.
   *
   * @param cap the most bytes it may have
   * @param title says in a few words what it is, for those who can't see it
   * @param description says what it shows
   */
  Svg(int cap, int width, int height, String title, String description) {
    out = new CappedBuffer(16 << 10, cap);
    try {
      writer = WRITERS.createXMLStreamWriter(new Utf8(out));
      writer.setDefaultNamespace(NAMESPACE);
      writer.writeStartElement("svg");
      writer.writeDefaultNamespace(NAMESPACE);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    attributes("width", width, "height", height, "viewBox", "0 0 " + width + " " + height);
    attributes("role", "img", "aria-labelledby", "title description");
    text("title", title, "id", "title");
    text("desc", description, "id", "description");
  }

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn
   */
  void open(String element, Object... attributes) {
    try {
      writer.writeStartElement(element);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    attributes(attributes);
  }

  private void attributes(Object... attributes) {
    try {
      for (int i = 0; i < attributes.length; i += 2) {
        writer.writeAttribute(attributes[i].toString(), attributes[i + 1].toString());
      }
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes the element opened last. */
  void close() {
    try {
      writer.writeEndElement();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes an element without content. */
  void leaf(String element, Object... attributes) {
    try {
      writer.writeEmptyElement(element);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    attributes(attributes);
  }

  /** Writes an element with text in it. */
  void text(String element, String content, Object... attributes) {
    open(element, attributes);
    characters(content);
    close();
  }

  private void characters(String content) {
    try {
      writer.writeCharacters(content);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What letters look like.
   *
   * @param size in pixels
   * @param weight as CSS has it, or null for the usual one
   */
  record Font(String family, int size, @Nullable String weight) {}

  /**
   * Writes a line of text.
   *
   * @param y of its base
   * @param more attributes, names and values in turn
   */
  void line(String content, int x, int y, Font font, String fill, Object... more) {
    open("text", "x", x, "y", y, "font-family", font.family, "font-size", font.size);
    if (font.weight != null) {
      attributes("font-weight", font.weight);
    }
    attributes("fill", fill);
    attributes(more);
    characters(content);
    close();
  }

  /** Ends the document. */
  CappedBuffer end() {
    close();
    try {
      writer.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return out;
  }

  /** Characters into bytes; a pair of surrogates may come in two calls. */
  private static final class Utf8 extends Writer {
    private final CappedBuffer out;
    private final StringBuilder pending = new StringBuilder();

    Utf8(CappedBuffer out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int from, int count) {
      for (int i = from; i < from + count; i++) {
        put(text[i]);
      }
    }

    @Override
    public void write(String text, int from, int count) {
      for (int i = from; i < from + count; i++) {
        put(text.charAt(i));
      }
    }

    /** Nearly all is ASCII, and needs no objects on its way. */
    private void put(char c) {
      if (c < 0x80 && pending.isEmpty()) {
        out.put((byte) c);
        return;
      }
      pending.append(c);
      if (!Character.isHighSurrogate(c)) {
        out.put(pending.toString().getBytes(StandardCharsets.UTF_8));
        pending.setLength(0);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
