# Skips quarantined examples: rspec --require THIS_FILE. Written by flakestat.
# FLAKESTAT_QUARANTINE_LIST names a file with one ["file","full description"] a line; an empty file name means every file.
require 'json'
require 'rspec/core'
require 'set'

flakestat_listed = Set.new(
  File.readlines(ENV.fetch('FLAKESTAT_QUARANTINE_LIST'), chomp: true, encoding: 'UTF-8').map do |line|
    file, name = JSON.parse(line)
    [file, name.gsub(/\s/, ' ')]
  end
)

# As rspec_junit_formatter writes what XML cannot hold.
flakestat_escapes = Hash.new { |_, char| format('\\x%02X', char.ord) }
flakestat_escapes.update("\0" => '\\0', "\a" => '\\a', "\b" => '\\b', "\e" => '\\e', "\f" => '\\f', "\v" => '\\v')

RSpec.configure do |config|
  config.prepend_before(:each) do |example|
    # Reports turn line ends into blanks.
    escaped = example.full_description.gsub(/[\x00-\x08\x0b\x0c\x0e-\x1f]/) { |char| flakestat_escapes[char] }
    names = [example.full_description, escaped].map { |name| name.gsub(/\s/, ' ') }.uniq
    files = ['', example.metadata[:file_path], example.metadata[:rerun_file_path]]
    listed = names.any? { |name| files.any? { |file| flakestat_listed.include?([file, name]) } }
    skip("quarantined: #{names.first}") if listed
  end
end
