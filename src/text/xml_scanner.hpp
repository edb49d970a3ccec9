// Tokens of XML that need not be well-formed: streaming, tolerant, without recursion, in bounded memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "text/byte_index.hpp"
#include "text/byte_survey.hpp"
#include "text/encoding.hpp"
#include "text/xml_text.hpp"

namespace flakestat::text {

/// As written: references not decoded, white space kept. Views into the scanner's window, valid until the next event.
struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

enum class XmlEvent : std::uint8_t {
  start,   ///< name(), attributes(), self_closing()
  end,     ///< name()
  text,    ///< a piece of content: text(), references not decoded; one run may come in many pieces
  cdata,   ///< a piece of a CDATA section: text()
  finish,  ///< the end of the input; cut_off() says whether it came inside of something
  failed,  ///< reading failed: error()
};

struct XmlLimits {
  std::size_t window = std::size_t{256} * 1024;     ///< bytes read at once
  std::size_t token = std::size_t{8} << 20;         ///< a longer tag is cut: its attributes so far are kept
  std::size_t kept_value = std::size_t{64} * 1024;  ///< of each attribute of a tag that was cut
};

/// Pulls events out of a byte stream. Comments, processing instructions and the document type are skipped (declared
/// entities are kept); `<` that starts no markup is text; a tag that meets another `<` outside quotes is text. Names
/// hold their namespace prefix. Not thread-safe.
class XmlScanner {
 public:
  static constexpr std::size_t kMaxAttributes = 128;  ///< further ones are skipped

  explicit XmlScanner(ReadBytes read, XmlLimits limits = {});

  [[nodiscard]] XmlEvent next();

  /// Skips everything up to the next start tag with one of these local names, not looking at the other tags: for text
  /// around documents. Comments and CDATA sections are skipped as such.
  [[nodiscard]] XmlEvent next_start_of(std::span<const std::string_view> names);

  /// Whether `text` and `cdata` events are wanted; without them content is skipped at full speed.
  void want_text(bool wanted) { want_text_ = wanted; }

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::span<const XmlAttribute> attributes() const { return {attributes_.data(), attribute_count_}; }
  [[nodiscard]] bool self_closing() const { return self_closing_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }
  /// Nothing but blanks, NULs and a byte order mark until now.
  [[nodiscard]] bool blank_so_far() const { return blank_so_far_; }

  /// What the input ended in the middle of ("a tag", "a comment", ...); empty: between tokens.
  [[nodiscard]] std::string_view cut_off() const { return cut_off_; }
  [[nodiscard]] const EntityTable& entities() const { return entities_; }
  [[nodiscard]] const Utf8Input& input() const { return input_; }
  [[nodiscard]] const ByteSurvey& survey() const { return survey_; }
  /// Tags that were too long, and the line of the first.
  [[nodiscard]] const Oddity& cut_tags() const { return cut_tags_; }
  /// Tags read as text because another `<` came before their end.
  [[nodiscard]] const Oddity& broken_tags() const { return broken_tags_; }

  /// Place after the last event, in bytes of the original input, and its line from 1. Linear in the window: for
  /// messages.
  [[nodiscard]] std::uint64_t offset() const;
  [[nodiscard]] std::uint64_t line() const;

 private:
  enum class State : std::uint8_t { content, cdata, comment, instruction, subset, doctype_tail };
  enum class Lex : std::uint8_t { complete, incomplete, text };
  enum class Step : std::uint8_t { again, start, end, text };

  // window
  bool more();
  bool grow();
  void resize(std::size_t capacity);
  bool ensure(std::size_t bytes);
  ByteTraits index();
  /// The next byte of a kind; end_ when there is none (a sentinel stands there).
  [[nodiscard]] std::size_t find(std::uint64_t ByteMasks::*mask, std::size_t from) const {
    std::size_t block = from / kBlockBytes;
    std::uint64_t bits = masks_[block].*mask & (~std::uint64_t{0} << (from % kBlockBytes));
    while (bits == 0) bits = masks_[++block].*mask;
    return block * kBlockBytes + static_cast<std::size_t>(std::countr_zero(bits));
  }
  [[nodiscard]] std::string_view view(std::size_t from, std::size_t to) const { return {data_ + from, to - from}; }

  // markup
  Step markup();
  Step start_tag();
  Step end_tag();
  Step stray();
  Step special();
  Lex lex_attributes(std::size_t at);
  Lex lex_value(std::size_t& at, std::string_view name);
  [[nodiscard]] std::size_t name_end(std::size_t from) const;
  void add_attribute(std::string_view name, std::string_view value);
  Step cut_tag();
  void keep_cut_attributes();
  Step finish_inside(std::string_view what);
  XmlEvent finish();

  // sections that may be longer than the window
  bool skip_section(std::string_view terminator, std::string_view what);
  bool cdata_piece();
  bool section_step();
  bool subset_step();
  Step doctype();
  [[nodiscard]] std::size_t declaration_end(std::size_t from, bool stop_at_bracket) const;
  void declare_entity(std::string_view declaration);

  Utf8Input input_;
  XmlLimits limits_;
  std::vector<char> buffer_;
  std::vector<ByteMasks> masks_;
  char* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t pos_ = 0;  ///< the next byte to look at
  std::size_t end_ = 0;  ///< of the bytes in the window
  bool eof_ = false;
  bool opened_ = false;

  State state_ = State::content;
  State resume_ = State::content;  ///< after a comment or an instruction
  bool want_text_ = false;
  bool doctype_allowed_ = true;
  bool blank_so_far_ = true;
  bool self_closing_ = false;
  std::string_view name_;
  std::string_view text_;
  std::size_t attribute_count_ = 0;
  std::size_t token_end_ = 0;
  char open_quote_ = '\0';      ///< of an incomplete tag: the quote it is inside of
  std::size_t open_value_ = 0;  ///< where the incomplete value begins
  std::string_view open_name_;  ///< and the attribute it belongs to
  std::array<XmlAttribute, kMaxAttributes> attributes_;
  std::string cut_storage_;

  std::uint64_t newlines_before_ = 0;  ///< the window
  std::uint64_t newlines_inside_ = 0;
  std::uint64_t original_before_ = 0;  ///< bytes of the original before the window
  std::string_view cut_off_;
  EntityTable entities_;
  ByteSurvey survey_;
  Oddity cut_tags_;
  Oddity broken_tags_;
  std::optional<Error> error_;
};

}  // namespace flakestat::text
